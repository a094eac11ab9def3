/** Words that mark secrets in names, as services use them. */
const secretWord =
  /secret|passw(?:or)?d|passphrase|credential|signature|cookie|token$|^(?:authorization|authentication|o?auth|bearer|jwt|dpop|otp|pass|pwd|sig)$/;

/** Secrets whose names have two words, such as an API key. Other keys may be keys of rows. */
const secretKey =
  /^(?:api|access|auth|private|secret|subscription|functions?|master|account|license|sign(?:ing)?|shared|encryption|admin|role|service|client|server|webhook)_?keys?(?:_?id)?$/;

/** Names that contain such a word but mean an amount or a permission. */
const harmless =
  /^access_control_|(?:^|_)(?:token_(?:count|type|limit|usage)|(?:idempotency|cache|surrogate)_key|backlot_session)$/;

/** Whether a name means a key, a token or a password, whose value must not be shown. */
export function isSecretName(name: string): boolean {
  return isKnown(columnNames, name, isSecretWord);
}

/** Like `isSecretName`, for names other than columns: there, `key` and `session` are secrets, too. */
export function isSecretHeader(name: string): boolean {
  return isKnown(otherNames, name, (word, next) => {
    return isSecretWord(word, next) || keyOrSession.test(word);
  });
}

const keyOrSession = /^(?:.*key|session(?:id)?|sid|pin)$/;

/** Cached results: there are few names, and a log checks each with every request. */
const columnNames: Map<string, boolean> = new Map();
const otherNames: Map<string, boolean> = new Map();
const mostNames = 1000;

function isKnown(known: Map<string, boolean>, name: string, fits: WordTest): boolean {
  const before = known.get(name);
  if (before !== undefined) return before;
  if (known.size === mostNames) known.clear();
  const found = isSecret(name, fits);
  known.set(name, found);
  return found;
}

type WordTest = (word: string, next: string) => boolean;

function isSecretWord(word: string, next: string): boolean {
  return secretWord.test(word) || secretKey.test(word) || secretKey.test(`${word}_${next}`);
}

/**
 * Whether a word of a name passes the test. The name is split with and without its capitals as word boundaries:
 * `AccessKeyId` has three words, `ToKeN` one.
 */
function isSecret(name: string, fits: WordTest): boolean {
  const humps = name.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "_");
  return [humps, name].some((spelling) => {
    const words = spelling.toLowerCase().match(/[a-z]+/g) ?? [];
    if (harmless.test(words.join("_"))) return false;
    return words.some((word, index) => fits(word, words[index + 1] ?? ""));
  });
}
