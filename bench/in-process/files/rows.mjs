// The rows that are asked for, and how long it takes to ask.
export const rows = Array.from({ length: 1000 }, (_, index) => ({
  id: index + 1,
  name: `Item ${index + 1}`,
  category: `c-${index % 50}`,
  price: index * 2.5,
  stock: index,
}));

export const pathOf = (index) => `/rest/items/${(index % rows.length) + 1}`;

const calls = 3000;

/** Prints microseconds of CPU for each call, once warm. */
export async function report(ask) {
  for (let index = 0; index < calls; index++) await ask(index);
  const before = process.cpuUsage();
  for (let index = 0; index < calls; index++) await ask(index);
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify((user + system) / calls));
}
