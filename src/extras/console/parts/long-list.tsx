import type { RefObject, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** How many parts are drawn together. */
const partsOfBlock = 50;
/** The height of a part that has not been drawn yet, in pixels. Once drawn, its block keeps the height that it had. */
const guessedHeight = 24;
/** How far beyond the region blocks are drawn, in pixels. */
const spare = 300;

interface LongListProps {
  readonly label: string;
  readonly count: number;
  readonly draw: (index: number) => VNode;
}

/** A scrolled list of parts of any height, of which only those in sight are drawn, however many there are. */
export function LongList({ label, count, draw }: LongListProps): VNode {
  const region = useRef<HTMLDivElement>(null);
  const blocks = Math.ceil(count / partsOfBlock);
  const heightOf = useHiddenBlocks(region, blocks);
  return (
    <div class="block" tabIndex={0} role="region" aria-label={label} ref={region}>
      {Array.from({ length: blocks }, (_, block) => {
        const first = block * partsOfBlock;
        const length = Math.min(partsOfBlock, count - first);
        const height = heightOf(block, length);
        if (height !== undefined) return <div key={block} data-block={block} style={{ height }} />;
        return (
          <div key={block} data-block={block}>
            {Array.from({ length }, (_part, part) => draw(first + part))}
          </div>
        );
      })}
    </div>
  );
}

/**
 * Follows which blocks of a region are in sight. The returned function gives the height of a block that is not;
 * undefined for a block in sight.
 */
function useHiddenBlocks(
  region: RefObject<HTMLElement | null>,
  blocks: number,
): (block: number, parts: number) => number | undefined {
  const [inSight, setInSight] = useState<ReadonlySet<number>>(new Set([0]));
  const heights = useRef(new Map<number, number>());
  const observer = useRef<IntersectionObserver | null>(null);
  useEffect(() => {
    const seen = (changes: readonly IntersectionObserverEntry[]): void =>
      setInSight((before) => {
        const now = new Set(before);
        for (const { target, isIntersecting, boundingClientRect } of changes) {
          const block = Number(target.getAttribute("data-block"));
          if (isIntersecting) now.add(block);
          else if (now.delete(block)) heights.current.set(block, boundingClientRect.height);
        }
        return now;
      });
    const options = { root: region.current, rootMargin: `${spare}px 0px` };
    observer.current = new IntersectionObserver(seen, options);
    return () => observer.current?.disconnect();
  }, [region]);
  useEffect(() => {
    for (const block of region.current?.children ?? []) observer.current?.observe(block);
  }, [region, blocks]);
  return (block, parts) =>
    inSight.has(block) ? undefined : (heights.current.get(block) ?? parts * guessedHeight);
}
