import type { VNode } from "preact";
import { Facts } from "./facts.tsx";
import { Modal } from "./modal.tsx";

const keys = [
  ["Ctrl K", "find a command: a view, a table, a session, a script, a fault to plan"],
  ["?", "show these keys"],
  ["Escape", "close a window or the details, or cancel an edit"],
  ["Up, Down", "go from one request or command to the next"],
  ["Left, Right", "go from one tab of a request to the next"],
  ["Arrows, Enter", "go from cell to cell in a table, and edit one"],
  ["Space", "pick the row of a cell"],
  ["Ctrl Z", "undo your last change of a table"],
  ["Ctrl Enter", "send a chat"],
] as const;

/** The keys of all views. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }): VNode {
  return (
    <Modal label="Keys" onClose={onClose}>
      <h2>Keys</h2>
      <Facts class="pairs" facts={keys} />
      <button type="button" autofocus onClick={onClose}>
        Close
      </button>
    </Modal>
  );
}
