const words = (
  "amber anchor autumn birch candle canyon cedar clover copper coral dawn ember fern forest garden harbor " +
  "hazel island ivory juniper lantern linen maple meadow morning ocean olive orchard pebble river saffron silver " +
  "spring summit timber valley velvet violet willow winter"
).split(" ");

export function anyWord(random: () => number): string {
  return words[Math.floor(random() * words.length)] ?? "amber";
}

/** Words with a total length between `least` and `most`, of letters, digits and spaces. */
export function phrase(least: number, most: number, random: () => number): string {
  let text = `${anyWord(random)} ${anyWord(random)}`;
  while (text.length < least) text += ` ${anyWord(random)}`;
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  return cut.trimEnd().length >= least ? cut.trimEnd() : cut.replaceAll(" ", "a");
}
