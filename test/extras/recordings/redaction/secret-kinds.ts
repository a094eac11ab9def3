import { Faker, base, en } from "@faker-js/faker";

/** Makes secrets of many kinds, the same each time. */
export function secretKinds(seed: number): readonly (readonly [kind: string, secret: string])[] {
  const faker = new Faker({ locale: [en, base], seed });
  const any = (length: number): string => mixed(faker, faker.string.alphanumeric(length));
  const hex = (length: number): string =>
    faker.string.hexadecimal({ length, casing: "lower", prefix: "" });
  const upper = (length: number): string =>
    faker.string.alphanumeric({ length, casing: "upper", exclude: ["0", "1", "8", "9"] });
  const jwt = `${part({ alg: "HS256", typ: "JWT" })}.${part({ sub: any(6), iat: 1_700_000_000 })}.${any(43)}`;
  const pem = Array.from({ length: 12 }, () => any(64)).join("\n");
  return [
    ["OpenAI", `sk-${any(20)}T3BlbkFJ${any(20)}`],
    ["OpenAI, of a project", `sk-proj-${any(48)}-${any(30)}_${any(12)}`],
    ["Anthropic", `sk-ant-api03-${any(60)}-${any(20)}AA`],
    ["OpenRouter", `sk-or-v1-${hex(64)}`],
    ["Groq", `gsk_${any(52)}`],
    ["xAI", `xai-${any(80)}`],
    ["Perplexity", `pplx-${any(48)}`],
    ["Hugging Face", `hf_${any(34)}`],
    ["Google API", `AIza${any(35)}`],
    ["Google OAuth", `ya29.${any(60)}`],
    ["Google client secret", `GOCSPX-${any(28)}`],
    ["AWS access key", `AKIA${upper(16)}`],
    ["AWS session key", `ASIA${upper(16)}`],
    ["GitHub", `ghp_${any(36)}`],
    ["GitHub, fine-grained", `github_pat_${any(22)}_${any(59)}`],
    ["GitLab", `glpat-${any(20)}`],
    ["Slack bot", `xoxb-${faker.string.numeric(12)}-${faker.string.numeric(12)}-${any(24)}`],
    ["Slack app", `xapp-1-${upper(11)}-${faker.string.numeric(13)}-${hex(64)}`],
    ["Slack webhook", `https://hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${any(24)}`],
    ["Stripe", `sk_live_${any(24)}`],
    ["Stripe webhook", `whsec_${any(32)}`],
    ["Twilio", `SK${hex(32)}`],
    ["SendGrid", `SG.${any(22)}.${any(43)}`],
    ["npm", `npm_${any(36)}`],
    ["PyPI", `pypi-AgEIcHlwaS5vcmc${any(70)}`],
    ["Docker Hub", `dckr_pat_${any(27)}`],
    ["DigitalOcean", `dop_v1_${hex(64)}`],
    ["Databricks", `dapi${hex(32)}`],
    ["Shopify", `shpat_${hex(32)}`],
    [
      "Telegram bot",
      `${faker.string.numeric({ length: 9, allowLeadingZeros: false })}:AA${any(33)}`,
    ],
    ["Azure client secret", `${any(3)}8Q~${any(34)}`],
    ["Vault", `hvs.${any(90)}`],
    ["Notion", `ntn_${any(46)}`],
    ["Atlassian", `ATATT3xFfGF0${any(170)}=${upper(8)}`],
    ["JWT", jwt],
    ["private key", `-----BEGIN PRIVATE KEY-----\n${pem}\n-----END PRIVATE KEY-----`],
    ["password", `${any(9)}!${any(4)}&x`],
    ["api_key", hex(32)],
    ["access_token", any(40)],
    ["client_secret", `${any(16)}~${any(18)}`],
  ];
}

/** Has a digit and a letter, as nearly all random texts have. */
function mixed(faker: Faker, text: string): string {
  return `${text.slice(0, -2)}${faker.string.alpha(1)}${faker.string.numeric(1)}`;
}

/** How a secret may be written. */
export const encodings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  percent: (text) =>
    text.replaceAll(/[^]/g, (c) => `%${c.charCodeAt(0).toString(16).padStart(2, "0")}`),
  JSON: (text) => JSON.stringify(JSON.stringify(text)).slice(1, -1).replaceAll("/", "\\/"),
  unicode: (text) =>
    text.replaceAll(/[^]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`),
  base64: (text) => Buffer.from(text).toString("base64"),
  base64url: (text) => Buffer.from(`my ${text}`).toString("base64url"),
};

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
