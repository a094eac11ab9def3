/** The parts by which texts are compared: words and pairs of words, each with its weight. */
export type WeightedParts = ReadonlyMap<string, number>;

const weightOf = {
  word: 1,
  /** The beginning of a long word, besides the word itself. */
  beginning: 0.6,
  pair: 0.4,
  /** The text as a whole, so that texts without any word have a vector, too. */
  text: 0.03,
} as const;

/**
 * The number of letters in the beginning of a long word. Words with the same beginning are mostly related, as `deliver`
 * and `delivery` are.
 */
const beginningLength = 5;

/** How much words of these lists count. */
const ofStopWords = 0.05;
const ofCommonWords = 0.4;

/** Words that say nothing about the subject of a text. */
const stopWords = `
  a about above after again against all also am an and another any are as at be because been before being below between
  both but by can cannot could did do does doing done down during each either else ever every few for from further get
  got gets had has have having he her here hers herself him himself his how however i if in into is it its itself just
  let may me might mine more most much must my myself neither never no nor not nothing now of off often on once one only
  onto or other others our ours out over own per quite rather same shall she should since so some somebody someone
  something such than that the their theirs them themselves then there these they this those though through to too under
  until up upon us very was we were what when where whether which while who whom whose why will with within without
  would yes yet you your yours yourself arent cant couldnt didnt doesnt dont hadnt hasnt havent im isnt ive lets
  shouldnt thats theres theyre wasnt werent whats wont wouldnt youre`;

/** Words that occur in texts about any subject. */
const commonWords = `
  able allow ask away back bad become begin best better big bring call case change close come day different early easy
  end enough example far feel find first follow full give go good great hand happen hard help high hold hour keep kind
  know large last late later leave less life like line little live long look lot low make many matter mean minute month
  move name need new next number old open part people person place please point possible problem put read reason really
  right room run say see seem send set short show side small sort start stay still stop sure take talk tell thing think
  time today try turn two three use want way week well whole work world wrong year young`;

/** Irregular forms of verbs and nouns, each after its base form. */
const irregularWords = `
  begin began begun, bite bit bitten, blow blew blown, break broke broken, build built, buy bought, catch caught,
  child children, choose chose chosen, deal dealt, draw drew drawn, drink drank drunk, drive drove driven, eat ate eaten,
  fall fell fallen, feed fed, fight fought, fly flew flown, foot feet, forget forgot forgotten, freeze froze frozen,
  grow grew grown, half halves, hear heard, hide hid hidden, hold held, keep kept, knife knives, lay laid, lead led,
  leaf leaves, lend lent, life lives, lose lost, man men, meet met, mouse mice, pay paid, ride rode ridden, rise rose
  risen, sell sold, send sent, shake shook shaken, shine shone, shoot shot, shelf shelves, sing sang sung, sink sank sunk,
  sleep slept, speak spoke spoken, spend spent, steal stole stolen, stick stuck, swim swam swum, teach taught, tear tore
  torn, thief thieves, throw threw thrown, tooth teeth, wake woke woken, wear wore worn, wife wives, win won, wolf wolves,
  woman women, write wrote written`;

const baseOf: ReadonlyMap<string, string> = new Map(
  irregularWords.split(",").flatMap((family) => {
    const [base = "", ...others] = family.trim().split(/\s+/);
    return others.map((form) => [form, base] as const);
  }),
);

/** The words that count less, without their endings. */
const lessWeight: ReadonlyMap<string, number> = new Map([
  ...listed(commonWords, ofCommonWords),
  ...listed(stopWords, ofStopWords),
]);

function listed(words: string, weight: number): readonly (readonly [string, number])[] {
  return words
    .trim()
    .split(/\s+/)
    .map((word) => [withoutEnding(word), weight]);
}

/**
 * The words of a text without their endings, the beginnings of long words, and pairs of neighbours. Words such as "the"
 * count little and form no pairs. A repeated part counts less each time.
 */
export function partsOf(text: string): WeightedParts {
  const parts = new Map<string, number>();
  const add = (part: string, weight: number): void => {
    parts.set(part, (parts.get(part) ?? 0) + weight);
  };
  let before: string | undefined;
  for (const word of wordsIn(text)) {
    const weight = lessWeight.get(word) ?? weightOf.word;
    add(word, weight);
    if (weight === ofStopWords) continue;
    if (word.length > beginningLength) {
      add(`${word.slice(0, beginningLength)}…`, weight * weightOf.beginning);
    }
    if (before !== undefined) add(`${before} ${word}`, weight * weightOf.pair);
    before = word;
  }
  for (const [part, weight] of parts) if (weight > 1) parts.set(part, 1 + Math.log(weight));
  return parts.set(`"${text}`, weightOf.text);
}

/** The words of a text in order, in lower case and without endings. */
function wordsIn(text: string): readonly string[] {
  const found = text.normalize("NFKC").toLowerCase().match(wordPattern) ?? [];
  return found.flatMap((word) => {
    if (unspaced.test(word)) return Array.from(word);
    return withoutEnding(word.includes("'") || word.includes("’") ? withoutApostrophe(word) : word);
  });
}

const wordPattern = /[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)*/gu;

/** Letters of writing systems without spaces. Each counts as a word, and pairs of them stand for the real words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function withoutApostrophe(word: string): string {
  return word.replace(/['’]s$/, "").replaceAll(/['’]/g, "");
}

/** A word without what English grammar adds: `carries` and `carried` become `carri`, `stopping` `stop`, `worn` `wear`. */
export function withoutEnding(word: string): string {
  const base = baseOf.get(word) ?? word;
  if (base.length < 3 || !/^[a-z]+$/.test(base)) return base;
  return base
    .replace(/(?<=ss|sh|ch|x)es$|(?<=[^su])s$/, "")
    .replace(/ied?$/, "y")
    .replace(/(?<=[aeiouy].*[a-z])(?:ing|ed|ly)$/, "")
    .replace(/([bdfgmnprt])\1$/, "$1")
    .replace(/e$/, "")
    .replace(/(?<=[^aeiou])y$/, "i");
}
