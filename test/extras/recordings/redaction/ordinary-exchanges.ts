import { createHash } from "node:crypto";
import { Faker, base, en } from "@faker-js/faker";

/** An exchange without secrets, full of what may be taken for one. */
export interface OrdinaryExchange {
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly answer: unknown;
  /** Whether the answer comes in events. */
  readonly isStream: boolean;
}

/** Makes an ordinary exchange, the same for the same number. */
export function ordinaryExchange(number: number): OrdinaryExchange {
  const faker = new Faker({ locale: [en, base], seed: number });
  const value = (): unknown => faker.helpers.arrayElement(valueShapes)(faker);
  const record = (): object =>
    Object.fromEntries(
      Array.from({ length: faker.number.int({ min: 3, max: 9 }) }, () => [
        faker.helpers.arrayElement(names),
        value(),
      ]),
    );
  const text = (): string =>
    faker.helpers
      .multiple(() => faker.helpers.arrayElement(textShapes)(faker), { count: { min: 1, max: 5 } })
      .join(faker.helpers.arrayElement([" ", "\n", "\n\n"]));
  return {
    query: new URLSearchParams({
      q: faker.lorem.words(3),
      id: faker.string.uuid(),
      since: faker.date.past().toISOString(),
    }).toString(),
    headers: {
      etag: `W/"${sha(faker, "sha1")}"`,
      "x-request-id": faker.string.uuid(),
      "last-modified": faker.date.past().toUTCString(),
    },
    body: {
      model: "atlas-large-2024-05",
      messages: [
        { role: "user", content: text() },
        {
          role: "tool",
          tool_call_id: `call_${faker.string.alphanumeric(24)}`,
          content: JSON.stringify(record()),
        },
      ],
      tools: [tool],
      metadata: record(),
    },
    answer: {
      id: `chatcmpl-${faker.string.alphanumeric(29)}`,
      system_fingerprint: `fp_${faker.string.hexadecimal({ length: 10, casing: "lower", prefix: "" })}`,
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: text() },
          logprobs: { content: logprobs(faker) },
        },
      ],
      result: [record(), record()],
      usage: { prompt_tokens: faker.number.int(9999), completion_tokens: 7, total_tokens: 11 },
    },
    isStream: number % 3 === 0,
  };
}

function sha(faker: Faker, algorithm: string): string {
  return createHash(algorithm).update(faker.lorem.sentence()).digest("hex");
}

function bytes(faker: Faker, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => faker.number.int(255)));
}

const names = [
  "id",
  "key",
  "cache_key",
  "primary_key",
  "public_key",
  "idempotency_key",
  "sort_key",
  "fingerprint",
  "etag",
  "hash",
  "checksum",
  "digest",
  "next_page_token",
  "cursor",
  "max_tokens",
  "token_count",
  "eos_token",
  "session",
  "trace_id",
  "name",
  "email",
  "category",
  "comment",
  "createdAt",
  "group",
  "title",
  "status",
  "phone",
  "token_type",
  "password_hint",
  "password_changed_at",
  "secret_santa",
  "api_key_url",
  "authorization_url",
  "avatar",
  "image",
  "url",
  "commit",
  "version",
];

type Shape<Value> = (faker: Faker) => Value;

const valueShapes: readonly Shape<unknown>[] = [
  (faker) => faker.string.uuid(),
  (faker) => faker.string.ulid(),
  (faker) => faker.string.nanoid(),
  (faker) => faker.database.mongodbObjectId(),
  (faker) => sha(faker, "md5"),
  (faker) => sha(faker, "sha1"),
  (faker) => sha(faker, "sha256"),
  (faker) => `sha256-${createHash("sha256").update(faker.lorem.word()).digest("base64")}`,
  (faker) => `"${sha(faker, "md5")}"`,
  (faker) => `data:image/png;base64,${bytes(faker, 900).toString("base64")}`,
  (faker) => bytes(faker, 300).toString("base64url"),
  (faker) => Buffer.from(faker.lorem.paragraph()).toString("base64"),
  (faker) => Buffer.from(JSON.stringify({ after: faker.string.uuid(), n: 20 })).toString("base64"),
  (faker) => `cus_${faker.string.alphanumeric(14)}`,
  (faker) => `pi_${faker.string.alphanumeric(24)}`,
  (faker) => `msg_${faker.string.alphanumeric(24)}`,
  (faker) => `file-${faker.string.alphanumeric(24)}`,
  (faker) => `arn:aws:iam::${faker.string.numeric(12)}:role/${faker.lorem.slug()}`,
  (faker) => faker.date.recent().toISOString(),
  (faker) => faker.date.recent().getTime(),
  (faker) => faker.internet.url(),
  (faker) =>
    `${faker.internet.url()}/${faker.lorem.slug()}?page=2&size=20&v=${faker.string.hexadecimal({ length: 8, prefix: "" })}`,
  (faker) => faker.internet.email(),
  (faker) => faker.internet.ipv6(),
  (faker) => faker.internet.mac(),
  (faker) => faker.internet.userAgent(),
  (faker) => faker.finance.iban(),
  (faker) => faker.finance.bitcoinAddress(),
  (faker) => faker.finance.ethereumAddress(),
  (faker) => faker.commerce.isbn(),
  (faker) => faker.system.filePath(),
  (faker) => faker.system.semver(),
  (faker) => faker.git.commitSha(),
  (faker) => faker.color.rgb(),
  (faker) => faker.location.streetAddress(),
  (faker) => faker.person.fullName(),
  (faker) => faker.phone.number(),
  (faker) => faker.lorem.sentence(),
  (faker) => faker.number.float(),
  (faker) => faker.string.numeric(18),
  (faker) => faker.vehicle.vin(),
  (faker) => faker.datatype.boolean(),
  () => null,
  () => ({ type: "string", format: "password", minLength: 8 }),
  () => ({ password: "must have at least 8 characters", email: "is invalid" }),
  () => ({ username: "Benutzername", password: "Passwort", api_key: "API-Schlüssel" }),
  () => ({ password: "********", api_key: "YOUR_API_KEY", secret: "<secret>", access_token: null }),
  () => ({ token_type: "bearer", expires_in: 3600, scope: "read:user write:repo" }),
  () => ({ columns: { password: "VARCHAR(255)", token: "TEXT", api_key: "string" } }),
  () => ({ credentials: "same-origin", authorization: "none", secret: false, password: true }),
];

const textShapes: readonly Shape<string>[] = [
  (faker) => faker.lorem.paragraph(),
  (faker) => faker.hacker.phrase(),
  (faker) =>
    `The commit ${faker.git.commitSha()} by ${faker.person.fullName()} on ${faker.date.past().toISOString()}.`,
  (faker) =>
    `See ${faker.internet.url()}/${faker.string.uuid()}#${faker.lorem.slug()} (id: ${faker.string.uuid()}).`,
  (faker) => `![picture](data:image/jpeg;base64,${bytes(faker, 600).toString("base64")})`,
  () => "The password is required, and the token must be sent as a Bearer token in the header.",
  () => "Set `api_key` to your key: `export API_KEY=your-api-key-here`, then run `node index.js`.",
  () =>
    'const client = new Client({ apiKey: process.env.API_KEY, token: config.token, password: getPassword("db") });',
  () =>
    'api_key = os.environ["API_KEY"]\npassword: str = Field(min_length=8)\nsecret = settings.SECRET_KEY',
  () => "`Authorization: Bearer <token>` or `Authorization: Bearer $TOKEN`, never `Basic`.",
  () =>
    '<input type="password" autocomplete="current-password" name="password" placeholder="Password">',
  () =>
    "password = bcrypt.hash(plain, 10); token = jwt.sign(payload, secret, { algorithm: 'HS256' });",
  () =>
    "class sk-loading-spinner sk-cube-grid; locale sk-SK; task-force; risk-assessment-2024-report-final",
  () => "sk-learn 1.4, hf_transfer=1, gsk_plc, npm_config_registry, ghp_setup, xoxo-love-letters",
  () =>
    "secret: bool = False; PASSWORD_MIN_LENGTH=12; TOKEN_EXPIRES=3600; API_KEY_HEADER=X-API-Key",
  () =>
    "Passwords: use at least 12 characters. Token: a piece of a word. Secret Santa is on 24 December 2024.",
  (faker) =>
    `{"cursor":"${Buffer.from(faker.string.uuid()).toString("base64")}","id":"${faker.string.uuid()}"}`,
  (faker) => `digest: sha512-${createHash("sha512").update(faker.lorem.word()).digest("base64")}`,
  (faker) =>
    `ETag: "${sha(faker, "md5")}-${faker.number.int(9)}"; Content-MD5: ${createHash("md5").update(faker.lorem.word()).digest("base64")}`,
  (faker) =>
    `| ${faker.string.uuid()} | ${faker.finance.amount()} | ${faker.date.past().toISOString()} |`,
  (faker) =>
    `-----BEGIN CERTIFICATE-----\n${bytes(faker, 300).toString("base64")}\n-----END CERTIFICATE-----`,
  (faker) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${faker.string.alphanumeric(43)} me@example.com`,
];

/** A tool whose parameters are called as secrets are. */
const tool = {
  type: "function",
  function: {
    name: "log_in",
    parameters: {
      type: "object",
      properties: {
        password: { type: "string", description: "The password, at least 8 characters" },
        api_key: { type: "string", default: "" },
      },
      required: ["password", "api_key"],
    },
  },
};

function logprobs(faker: Faker): readonly object[] {
  return faker.helpers.multiple(() => {
    const token = faker.helpers.arrayElement([
      faker.lorem.word(),
      `\n${faker.string.numeric(3)}`,
      faker.string.symbol(2),
    ]);
    return { token, logprob: -faker.number.float(), bytes: [...Buffer.from(token)] };
  });
}
