"""Step-up: a turn that needs a scope which its token lacks (§5.5), and its task (§2.2)."""

from pact_conformance.wire import schema
from tests.counterpart.delegating import (
    CANCEL,
    CHANGE,
    READ,
    Browser,
    PersonalAgent,
    reason,
)
from tests.counterpart.world import SECOND, World, alone

OPENING = "What are your opening hours?"
WHERE, STOP = "Where is my order?", "Please cancel my order."


@alone
async def test_it_is_a_task_with_a_new_link(world: World) -> None:
    agent, browser = PersonalAgent(world), Browser(world)
    token = (await agent.get_token(READ, browser=browser))["access_token"]
    context = (await agent.say(WHERE, token)).json()["message"]["contextId"]
    answer = await agent.say(f"{WHERE} {STOP}", token, contextId=context)
    task = answer.json()["task"]
    status = task["status"]

    assert answer.status_code == 200
    assert schema.problems(answer.json(), "send-message-response") == []
    assert (task["contextId"], status["state"]) == (context, "TASK_STATE_AUTH_REQUIRED")
    assert schema.problems(status["message"], "message") == []
    assert task["metadata"]["pact.missingScopes"] == [CANCEL]
    served = await agent.say(OPENING, token, contextId=context)
    assert served.json()["message"]["contextId"] == context

    page = await browser.decide(task["metadata"]["pact.verificationUriComplete"])
    assert page.name == "done"
    wider = (await agent.get_token(CANCEL, browser=browser))["access_token"]
    resolved = (await agent.say(STOP, wider, contextId=context)).json()["message"]
    assert resolved["metadata"]["pact.receipt"]["claims"]["scopesUsed"] == [CANCEL]


@alone
async def test_its_task_is_the_stored_reply(world: World) -> None:
    agent = PersonalAgent(world)
    token = (await agent.get_token(READ))["access_token"]
    first = (await agent.say(STOP, token, messageId="m-1")).json()
    about = {"messageId": "m-1", "contextId": first["task"]["contextId"]}

    assert (await agent.say(STOP, token, **about)).json() == first


@alone
async def test_the_task_is_its_users_alone(world: World) -> None:
    agent, other = PersonalAgent(world), PersonalAgent(world, user="user-2")
    token = (await agent.get_token(READ))["access_token"]
    task = (await agent.say(STOP, token)).json()["task"]
    path = f"/{task['id']}"

    assert (await agent.tasks(path)).json() == task
    assert (await agent.tasks()).json()["tasks"] == [task]
    assert (await other.tasks()).json()["tasks"] == []
    for method, end in (("GET", ""), ("POST", ":cancel")):
        assert reason(await other.tasks(path + end, method)) == "TASK_NOT_FOUND"
    elsewhere = PersonalAgent(world, brand=SECOND)
    assert reason(await elsewhere.tasks(path)) == "TASK_NOT_FOUND"


@alone
async def test_it_can_be_cancelled_once_and_its_link_with_it(world: World) -> None:
    agent = PersonalAgent(world)
    token = (await agent.get_token(READ))["access_token"]
    task = (await agent.say(STOP, token)).json()["task"]
    ended = (await agent.tasks(f"/{task['id']}:cancel", "POST")).json()
    again = await agent.tasks(f"/{task['id']}:cancel", "POST")
    page = await Browser(world).reach_consent(task["metadata"]["pact.verificationUriComplete"])

    assert ended["status"]["state"] == "TASK_STATE_CANCELED"
    assert reason(again) == "TASK_NOT_CANCELABLE"
    assert page.boxes == []


@alone
async def test_the_list_is_filtered_and_paged(world: World) -> None:
    agent = PersonalAgent(world)
    token = (await agent.get_token(READ))["access_token"]
    tasks = [(await agent.say(STOP, token)).json()["task"] for _ in range(3)]
    ids = [it["id"] for it in reversed(tasks)]
    first = (await agent.tasks("?pageSize=2")).json()
    rest = (await agent.tasks(f"?pageSize=2&pageToken={first['nextPageToken']}")).json()
    of_one = (await agent.tasks(f"?contextId={tasks[0]['contextId']}")).json()
    working = (await agent.tasks("?status=TASK_STATE_WORKING")).json()
    later = (await agent.tasks("?statusTimestampAfter=2999-01-01T00:00:00Z")).json()

    assert [it["id"] for it in first["tasks"] + rest["tasks"]] == ids
    assert (first["totalSize"], rest["nextPageToken"]) == (3, "")
    assert of_one["tasks"] == tasks[:1]
    assert working["tasks"] == later["tasks"] == []
    other = PersonalAgent(world, user="user-2")
    foreign = await other.tasks(f"?pageToken={first['nextPageToken']}")
    assert reason(foreign) == "INVALID_PARAMS"


@alone
async def test_a_description_makes_the_agent_need_its_scope(world: World) -> None:
    agent = PersonalAgent(world)
    token = (await agent.get_token(READ))["access_token"]
    answer = await agent.say("CHANGE the address\nthat an order is sent to", token)

    assert answer.json()["task"]["metadata"]["pact.missingScopes"] == [CHANGE]
