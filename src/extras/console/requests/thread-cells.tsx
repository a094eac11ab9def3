import type { VNode } from "preact";
import { counted } from "../../../core/errors/show.ts";
import { Clock, EndingBadge } from "./ending-badge.tsx";
import { BarCell, type CellSetting, SessionCell, TimeCell, timesOfAll } from "./request-cells.tsx";
import { latestIn, type ThreadLine } from "./thread-lines.ts";
import {
  answerersIn,
  isUnderWay,
  lengthOf,
  retriesIn,
  takenIn,
  titleOf,
  worstOf,
} from "./thread-words.ts";

interface ThreadCellsProps extends CellSetting {
  readonly line: ThreadLine;
}

/** The cells of a conversation: the totals of its requests, and when the last of them arrived. */
export function ThreadCells({ line, ...setting }: ThreadCellsProps): VNode | null {
  const { thread, listed, isOpen } = line;
  const latest = latestIn(line);
  const worst = worstOf(thread);
  if (latest === undefined || worst === undefined) return null;
  const retries = retriesIn(thread);
  const answerers = answerersIn(thread);
  return (
    <>
      <TimeCell at={latest.at} />
      <span role="gridcell" class="ended">
        <EndingBadge entry={worst} />
      </span>
      <SessionCell {...setting} entry={latest} />
      <span role="gridcell" class="method" />
      <span role="gridcell" class="request parted">
        <span class="fold" aria-hidden="true">
          {isOpen ? "▾" : "▸"}
        </span>
        <strong class="begun">{titleOf(thread)}</strong>
        <span class="muted">{lengthOf(thread, listed)}</span>
        {retries > 0 && <span class="badge warn">{counted(retries, "retry")}</span>}
      </span>
      <span role="gridcell" class="answer muted" title={answerers}>
        {answerers}
      </span>
      <span role="gridcell" class="took number">
        <Clock runs={isUnderWay(thread)} taken={() => takenIn(thread)} />
      </span>
      <BarCell ran={timesOfAll(listed.map(({ entry }) => entry))} span={setting.span} />
    </>
  );
}
