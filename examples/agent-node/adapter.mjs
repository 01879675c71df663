// A small personal agent of PACT Identity, and the contract by which the suite drives it.
import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { createServer } from "node:http";

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const keys = [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "ES256", use: "sig" }];
const [brands, subs] = [new Map(), new Map()];
let issuer;

function token(user, aud) {
  if (!subs.has(user.id)) subs.set(user.id, randomUUID()); // a real agent keeps these for good
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, sub: subs.get(user.id), aud, iat, exp: iat + 120 };
  const parts = [{ alg: "ES256", kid: "1" }, claims].map((it) => Buffer.from(JSON.stringify(it)));
  const text = parts.map((it) => it.toString("base64url")).join(".");
  const key = { key: privateKey, dsaEncoding: "ieee-p1363" };
  return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
}

async function connect({ card, domain, audience }) {
  const origin = domain?.includes("://") ? domain : `https://${domain}`;
  const url = card ?? new URL("/.well-known/agent-card.json", origin).href;
  const answer = await fetch(url);
  if (!answer.ok) return { gaveUp: `the answer for the card is ${answer.status}` };
  const fits = (it) => it.protocolBinding === "HTTP+JSON" && it.protocolVersion === "1.0";
  const found = (await answer.json()).supportedInterfaces?.find(fits);
  if (!found) return { gaveUp: "the card names no interface of A2A 1.0" };
  brands.set(url, { url: found.url.replace(/\/$/, ""), audience });
  return { brand: url };
}

async function say({ brand, user, text, conversation }) {
  const { url, audience } = brands.get(brand);
  const message = { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }] };
  if (conversation) message.contextId = conversation;
  const answer = await fetch(`${url}/message:send`, {
    method: "POST",
    redirect: "manual", // a token goes nowhere else
    headers: {
      Authorization: `Bearer ${token(user, audience)}`,
      "A2A-Version": "1.0",
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ message }),
  });
  const told = await answer.json().catch(() => ({}));
  if (answer.ok && told.message?.parts) {
    const reply = { text: told.message.parts.map((it) => it.text ?? "").join("\n") };
    return { reply, conversation: told.message.contextId };
  }
  const reason = told.error?.details?.[0]?.reason;
  if (conversation && reason === "UNSUPPORTED_OPERATION") return say({ brand, user, text });
  return { gaveUp: `the Brand's answer is ${answer.status} ${reason ?? ""}`, conversation };
}

const hello = async () => ({ operations: ["connect", "say"], name: "agent-node" });
const operations = new Map(Object.entries({ hello, connect, say }));
const unknown = async () => ({ error: "no such operation" });

const server = createServer(async (request, response) => {
  response.setHeader("Content-Type", "application/json");
  if (request.url === "/jwks.json") return response.end(JSON.stringify({ keys }));
  if (request.method !== "POST") return response.writeHead(404).end();
  const asked = JSON.parse(Buffer.concat(await request.toArray()));
  const operation = operations.get(asked.operation) ?? unknown;
  const told = await operation(asked).catch((error) => ({ gaveUp: `${error.cause ?? error}` }));
  response.end(JSON.stringify({ id: asked.id, ...told }));
});
server.listen(process.argv[2] ?? 8770, "127.0.0.1", () => {
  issuer = `http://127.0.0.1:${server.address().port}`;
  const jwks = `${issuer}/jwks.json`;
  console.log(`export E2E_AGENT=${issuer} E2E_AGENT_ISSUER=${issuer} E2E_AGENT_JWKS=${jwks}`);
});
