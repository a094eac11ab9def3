import type { ComponentChildren, VNode } from "preact";
import { type Block, type ListBlock, markdownBlocks, type TableBlock } from "./markdown-blocks.ts";
import type { Inline } from "./markdown-inline.ts";
import { Picture } from "./picture.tsx";

/** The longest text that is read as Markdown, in characters. A longer text is shown unformatted. */
const longestText = 50_000;

/** A text with its Markdown drawn. HTML in it is shown as text, and only links to web and mail addresses are links. */
export function Markdown({ text }: { readonly text: string }): VNode {
  if (text.length > longestText) return <p class="said">{text}</p>;
  return <div class="markdown">{drawn(markdownBlocks(text))}</div>;
}

function drawn(blocks: readonly Block[]): ComponentChildren {
  return blocks.map((block, index) => <BlockView key={index} block={block} />);
}

function BlockView({ block }: { readonly block: Block }): VNode {
  switch (block.kind) {
    case "heading":
      // A heading within a message is no heading of the page.
      return (
        <p class="heading">
          <strong>{said(block.said)}</strong>
        </p>
      );
    case "code":
      return (
        <pre class="block" tabIndex={0} role="region" aria-label={`Code ${block.language}`.trim()}>
          {block.text}
        </pre>
      );
    case "quote":
      return <blockquote>{drawn(block.blocks)}</blockquote>;
    case "list":
      return <List list={block} />;
    case "table":
      return <Table table={block} />;
    case "rule":
      return <hr />;
    default:
      return <p>{said(block.said)}</p>;
  }
}

function List({ list: { start, items } }: { readonly list: ListBlock }): VNode {
  const lines = items.map(({ isDone, blocks }, index) => (
    <li key={index}>
      {isDone !== undefined && (
        <input type="checkbox" checked={isDone} disabled aria-label="done" />
      )}
      {drawn(blocks)}
    </li>
  ));
  return start === undefined ? <ul>{lines}</ul> : <ol start={start}>{lines}</ol>;
}

function Table({ table: { head, rows } }: { readonly table: TableBlock }): VNode {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index} scope="col">
                {said(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at}>{said(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function said(parts: readonly Inline[]): ComponentChildren {
  return parts.map((part, index) => <InlineView key={index} part={part} />);
}

function InlineView({ part }: { readonly part: Inline }): VNode {
  if (typeof part === "string") return <>{part}</>;
  switch (part.kind) {
    case "strong":
      return <strong>{said(part.said)}</strong>;
    case "em":
      return <em>{said(part.said)}</em>;
    case "del":
      return <del>{said(part.said)}</del>;
    case "code":
      return <code>{part.text}</code>;
    case "picture":
      return <Picture url={part.url} name={part.name === "" ? "the text" : part.name} />;
    default:
      return (
        <a href={part.url} target="_blank" rel="noreferrer">
          {said(part.said)}
        </a>
      );
  }
}
