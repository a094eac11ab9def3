import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import type { ComponentChildren, VNode } from "preact";
import { Picture } from "./picture.tsx";

/** The longest text that is read as Markdown, in characters. A longer one is shown as it is. */
const longestText = 50_000;

/** A text with its Markdown drawn. HTML in it is shown as text, and only links to web and mail addresses are links. */
export function Markdown({ text }: { readonly text: string }): VNode {
  if (text.length > longestText) return <p class="said">{text}</p>;
  return <div class="markdown">{blocksOf(lexer(text))}</div>;
}

/** Without extensions there are no other tokens. */
function known(tokens: readonly Token[] = []): readonly MarkedToken[] {
  return tokens as readonly MarkedToken[];
}

function blocksOf(tokens: readonly Token[]): ComponentChildren {
  return known(tokens).map((token, index) => <Block key={index} token={token} />);
}

function Block({ token }: { readonly token: MarkedToken }): VNode | null {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      // Headings of a message are none of the page.
      return (
        <p class="heading">
          <strong>{inlineOf(token.tokens)}</strong>
        </p>
      );
    case "code":
      return (
        <pre
          class="block"
          tabIndex={0}
          role="region"
          aria-label={`Code ${token.lang ?? ""}`.trim()}
        >
          {token.text}
        </pre>
      );
    case "blockquote":
      return <blockquote>{blocksOf(token.tokens)}</blockquote>;
    case "list":
      return <List token={token} />;
    case "table":
      return <Table token={token} />;
    case "hr":
      return <hr />;
    case "paragraph":
      return <p>{inlineOf(token.tokens)}</p>;
    case "text":
      return <>{token.tokens === undefined ? token.text : inlineOf(token.tokens)}</>;
    default:
      return <p class="said">{token.raw.trimEnd()}</p>;
  }
}

function List({ token: { ordered, start, items } }: { readonly token: Tokens.List }): VNode {
  const lines = items.map((item, index) => (
    <li key={index}>
      {item.task && (
        <input type="checkbox" checked={item.checked === true} disabled aria-label="done" />
      )}
      {blocksOf(item.tokens.filter(({ type }) => type !== "checkbox"))}
    </li>
  ));
  return ordered ? <ol start={start === "" ? 1 : start}>{lines}</ol> : <ul>{lines}</ul>;
}

function Table({ token: { header, rows } }: { readonly token: Tokens.Table }): VNode {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {header.map((cell, index) => (
              <th key={index} scope="col">
                {inlineOf(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at}>{inlineOf(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inlineOf(tokens: readonly Token[]): ComponentChildren {
  return known(tokens).map((token, index) => <Inline key={index} token={token} />);
}

function Inline({ token }: { readonly token: MarkedToken }): VNode {
  switch (token.type) {
    case "strong":
      return <strong>{inlineOf(token.tokens)}</strong>;
    case "em":
      return <em>{inlineOf(token.tokens)}</em>;
    case "del":
      return <del>{inlineOf(token.tokens)}</del>;
    case "codespan":
      return <code>{token.text}</code>;
    case "br":
      return <br />;
    case "link":
      return <Link token={token} />;
    case "image":
      return <Picture url={token.href} name={token.text === "" ? "the text" : token.text} />;
    case "escape":
      return <>{token.text}</>;
    case "text":
      return <>{token.tokens === undefined ? token.text : inlineOf(token.tokens)}</>;
    default:
      return <>{token.raw}</>;
  }
}

function Link({ token: { href, tokens, raw } }: { readonly token: Tokens.Link }): VNode {
  // Other schemes may run code, and a relative address would lead into this server.
  if (!/^(?:https?:\/\/|mailto:)/i.test(href)) return <>{raw}</>;
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {inlineOf(tokens)}
    </a>
  );
}
