import type { VNode } from "preact";
import { Facts } from "./facts.tsx";
import { Modal } from "./modal.tsx";

const keys = [
  ["Ctrl K", "find a command: a view, a table, a session, a script, a fault to plan"],
  ["?", "show these keys"],
  ["Escape", "close a window or the details, or cancel an edit"],
  ["↑ ↓", "go from one request or command to the next"],
  ["← →", "go from one tab to the next"],
  ["↑ ↓ ← → Enter", "go from cell to cell in a table, and edit one"],
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
