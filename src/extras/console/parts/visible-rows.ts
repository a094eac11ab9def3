import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** The rows from `first` to `last`, both included; `last` may be after the end. */
export interface VisibleRows {
  readonly first: number;
  readonly last: number;
}

/** Rows that are drawn before and after those that can be seen, and by how many the range moves. */
const spare = 10;

/** Which rows of a scrolled region can be seen, with a few around them. All rows have the same height, in pixels. */
export function useVisibleRows(
  region: RefObject<HTMLElement | null>,
  rowHeight: number,
): VisibleRows {
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
  }, [region, rowHeight]);
  return range;
}
