import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** A part of what a region scrolls over, from `first` to `last`. */
export interface VisibleRange {
  readonly first: number;
  readonly last: number;
}

/** Follows which part of a scrolled region is visible. `rangeOf` must stay the same function. */
export function useVisibleRange(
  region: RefObject<HTMLElement | null>,
  initial: VisibleRange,
  rangeOf: (element: HTMLElement) => VisibleRange,
): VisibleRange {
  const [range, setRange] = useState(initial);
  useLayoutEffect(() => {
    const element = region.current;
    if (element === null) return undefined;
    const measure = (): void => {
      const next = rangeOf(element);
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
  }, [region, rangeOf]);
  return range;
}
