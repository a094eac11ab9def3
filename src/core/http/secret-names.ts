/** Words of names whose values open something, by any service's custom. */
const secretWord =
  /secret|passw(?:or)?d|passphrase|credential|signature|cookie|token$|^(?:authorization|authentication|o?auth|bearer|jwt|dpop|otp|pass|pwd|sig)$/;

/** The same in two words: an API key, and what else keys are called that are none of a row. */
const secretKey =
  /^(?:api|access|auth|private|secret|subscription|functions?|master|account|license|sign(?:ing)?|shared|encryption|admin|role|service|client|server|webhook)_?keys?(?:_?id)?$/;

/** Names that have such a word and tell of an amount, or of what may be done. */
const harmless =
  /^access_control_|(?:^|_)(?:token_(?:count|type|limit|usage)|(?:idempotency|cache|surrogate)_key|backlot_session)$/;

/** Whether what has this name is a key, a token or a password, so that its value is not to be shown. */
export function isSecretName(name: string): boolean {
  return isKnown(columnNames, name, isSecretWord);
}

/** The same of names that are no columns: there what is called a key, or a session, is one. */
export function isSecretHeader(name: string): boolean {
  return isKnown(otherNames, name, (word, next) => {
    return isSecretWord(word, next) || keyOrSession.test(word);
  });
}

const keyOrSession = /^(?:.*key|session(?:id)?|sid|pin)$/;

/** Names that were asked about: there are few, and a log asks of each with every request. */
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

/** Whether a word of a name fits, with and without regard to its capitals: `AccessKeyId` has three, `ToKeN` one. */
function isSecret(name: string, fits: WordTest): boolean {
  const humps = name.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "_");
  return [humps, name].some((spelling) => {
    const words = spelling.toLowerCase().match(/[a-z]+/g) ?? [];
    if (harmless.test(words.join("_"))) return false;
    return words.some((word, index) => fits(word, words[index + 1] ?? ""));
  });
}
