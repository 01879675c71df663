"""Conversations, the Brand's agent, and step-ups on the stage."""

import time

import pytest

from tests.counterpart.stage.acting import CANCEL, READ, Acting


def test_conversations_have_the_ids_of_the_script(acts: Acting) -> None:
    ids = ["x" * 400, "Über-Kontext/1;?"]
    scene = acts.stage.open(contextIds=ids)
    said = [acts.say(scene).json()["message"]["contextId"] for _ in range(3)]

    assert said[:2] == ids
    assert said[2] not in ids
    assert acts.say(scene, contextId=ids[0]).json()["message"]["contextId"] == ids[0]


def test_a_context_id_is_given_once(acts: Acting) -> None:
    acts.stage.open(contextIds=["only-once"])

    with pytest.raises(ValueError, match="taken"):
        acts.stage.open(contextIds=["only-once"])


def test_the_brands_agent_asks_each_user_back(acts: Acting) -> None:
    scene = acts.stage.open(asks="What is the order number?")
    texts = [
        acts.say(scene, user=user).json()["message"]["parts"][0]["text"]
        for user in ("one", "two", "one")
    ]

    assert texts[:2] == ["What is the order number?"] * 2
    assert texts[2].startswith("Ticket")


def test_a_conversation_is_closed(acts: Acting) -> None:
    scene = acts.stage.open(interfacePath="/closing/42")
    context = acts.say(scene).json()["message"]["contextId"]
    scene.close_conversation(context)
    answer = acts.say(scene, contextId=context)

    assert answer.json()["error"]["details"][0]["reason"] == "UNSUPPORTED_OPERATION"


def test_texts_need_the_scopes_of_the_script(acts: Acting) -> None:
    scene = acts.stage.open(needs={"Blue  Elephant": [CANCEL]}, approve={"auto": "all"})
    token = acts.token(scene, READ)["access_token"]
    plain = acts.say(scene, "where is my order", delegation=token).json()
    task = acts.say(scene, "a blue elephant, please", delegation=token).json()["task"]

    assert plain["message"]["metadata"]["pact.receipt"]["claims"]["scopesUsed"] == []
    assert task["metadata"]["pact.missingScopes"] == [CANCEL]
    assert task["status"]["state"] == "TASK_STATE_AUTH_REQUIRED"


@pytest.mark.parametrize(
    ("script", "status"),
    [({}, 200), ({"stepUpDurable": True}, 200), ({"stepUpDurable": False}, 404)],
)
def test_the_task_of_a_step_up_is_found_later_or_not(
    acts: Acting, script: dict[str, bool], status: int
) -> None:
    scene = acts.stage.open(**script, approve={"auto": "all"})
    token = acts.token(scene, READ)["access_token"]
    task = acts.say(scene, "cancel my order", delegation=token).json()["task"]
    found = acts.client.get(f"{scene.interface}/tasks/{task['id']}", headers=acts.agent.bearer())

    assert found.status_code == status
    assert scene.seen("tasks/{id}")[0].answer is not None


def test_the_users_second_decision_is_about_the_second_flow(acts: Acting) -> None:
    scene = acts.stage.open(approve=[{"auto": [READ]}, {"auto": "all"}])

    assert acts.token(scene, READ, CANCEL)["scope"] == READ
    assert acts.token(scene, CANCEL)["scope"] == CANCEL


def test_whoever_signs_with_fractions_of_a_second_is_served(acts: Acting) -> None:
    scene = acts.stage.open()
    now = time.time()
    token = acts.agent.token(iat=now - 1.25, exp=now + 60.75)
    message = {"messageId": "m-fraction", "role": "ROLE_USER", "parts": [{"text": "Hello"}]}
    answer = acts.client.post(
        f"{scene.interface}/message:send",
        json={"message": message},
        headers={"Authorization": f"Bearer {token}"},
    )

    assert answer.status_code == 200
    (said,) = scene.seen("message:send")
    assert said.verified is not None
    assert said.verified.ok
