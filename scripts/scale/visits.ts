import type { BacklotProcess } from "./backlot-process.ts";

/** How many visitors are under way at a time. */
const crowd = 32;

/** The places of the processes that have a session, by its id. */
export async function homesOf(
  processes: readonly BacklotProcess[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const homes = new Map<string, number[]>();
  for (const [place, { url }] of processes.entries()) {
    const response = await fetch(`${url}/__backlot/sessions`);
    const { sessions }: { readonly sessions: readonly { readonly id: string }[] } = JSON.parse(
      await response.text(),
    );
    for (const { id } of sessions) homes.set(id, [...(homes.get(id) ?? []), place]);
  }
  return homes;
}

/** Does something with each, so many at a time. */
export async function inCrowds<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const go = async (): Promise<void> => {
    for (const item of rest) await act(item);
  };
  await Promise.all(Array.from({ length: crowd }, go));
}
