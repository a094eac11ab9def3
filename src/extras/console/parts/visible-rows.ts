import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** The rows from `first` to `last`, both included; `last` may be after the end. */
export interface VisibleRows {
  readonly first: number;
  readonly last: number;
}

/** The height of every row in pixels, as in the style. Rows of one height need no measuring, however many there are. */
export const rowHeight = 30;

/** Rows that are drawn before and after those that can be seen, and by how many the range moves. */
const spare = 10;

/** Which rows of a scrolled region can be seen, with a few around them. */
export function useVisibleRows(region: RefObject<HTMLElement | null>): VisibleRows {
  const [range, setRange] = useState<VisibleRows>({ first: 0, last: 4 * spare });
  useLayoutEffect(() => {
    const element = region.current;
    if (element === null) return undefined;
    const measure = (): void => {
      const { scrollTop, clientHeight } = element;
      const top = Math.floor(scrollTop / rowHeight / spare) * spare;
      const bottom = Math.ceil((scrollTop + clientHeight) / rowHeight / spare) * spare;
      const next = { first: Math.max(0, top - spare), last: bottom + spare };
      setRange((before) =>
        before.first === next.first && before.last === next.last ? before : next,
      );
    };
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [region]);
  return range;
}

/** Scrolls as little as is needed to see a row below the head. */
export function scrollToRow(region: HTMLElement, row: number): void {
  const head = region.querySelector("thead")?.offsetHeight ?? rowHeight;
  const top = row * rowHeight;
  const bottom = top + rowHeight + head - region.clientHeight;
  region.scrollTop = Math.max(Math.min(region.scrollTop, top), bottom);
}
