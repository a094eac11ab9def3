import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { consolePath } from "./api/client.ts";
import { presets, ruleFor } from "./faults/presets.ts";
import { useConsole, useResource } from "./parts/use-console.ts";
import { Facts, Modal } from "./parts/display.tsx";
import { Button, Form } from "./parts/controls.tsx";
import { hashOf, viewNames } from "./parts/route.ts";

interface CommandsProps {
  readonly start: string;
  readonly onKeys: () => void;
  readonly onClose: () => void;
}

/** A dialog with the commands that are available in every view, by name. */
export function Commands({ start, onKeys, onClose }: CommandsProps): VNode {
  const { setup, reload, client, announce, report } = useConsole();
  const { value: listed } = useResource("/sessions");
  const { value: scripts } = useResource("/chats");
  const plan = async (title: string, body: unknown): Promise<void> => {
    const answer = await client.control("/faults", { method: "POST", body });
    reload();
    if (answer.ok) announce(`Fault planned: ${title}.`);
    else report(answer.error);
  };
  const commands: readonly Command[] = [
    ...viewNames.map((name) => ({ kind: "View", title: name, act: hashOf(name) })),
    ...setup.tables.map(({ name }) => ({
      kind: "Table",
      title: name,
      act: hashOf("tables", name),
    })),
    { kind: "Session", title: "base session", act: inSession() },
    ...(listed?.sessions ?? [])
      .toReversed()
      .map(({ id }) => ({ kind: "Session", title: id, act: inSession(id) })),
    ...presets.map((preset) => ({
      kind: "Plan a fault",
      title: preset.title,
      act: () => void plan(preset.title, ruleFor(preset, setup.endpoints)),
    })),
    ...(scripts?.chats ?? []).map(({ name }) => ({
      kind: "Script",
      title: name,
      act: hashOf("scripts", undefined, { part: name }),
    })),
    { kind: "Help", title: "keys", act: onKeys },
  ];
  return <Palette commands={commands} start={start} onClose={onClose} />;
}

/** The address of the current view in another session. */
function inSession(id?: string): string {
  return consolePath(id) + location.hash;
}

/** A command that is available in every view. */
interface Command {
  /** The command's group, such as `Session`. */
  readonly kind: string;
  readonly title: string;
  /** The address that the command opens, or the function that it calls. */
  readonly act: string | (() => void);
}

interface PaletteProps {
  readonly commands: readonly Command[];
  /** The words in the search field when the dialog opens. */
  readonly start: string;
  readonly onClose: () => void;
}

const mostShown = 50;

/** The commands whose kind and title contain all words, in their order. */
function findCommands(commands: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/);
  return commands
    .filter(({ kind, title }) => {
      const name = `${kind} ${title}`.toLowerCase();
      return words.every((word) => name.includes(word));
    })
    .slice(0, mostShown);
}

/** A dialog that finds a command by parts of its name, and runs it. */
function Palette({ commands, start, onClose }: PaletteProps): VNode {
  const [text, setText] = useState(start);
  const [at, setAt] = useState(0);
  const found = findCommands(commands, text);
  const chosen = Math.min(at, found.length - 1);
  useEffect(() => {
    document.getElementById(`command-${chosen}`)?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    if (typeof command.act === "string") location.assign(command.act);
    else command.act();
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setAt((chosen + step + found.length) % found.length);
  };
  return (
    <Modal label="Commands" class="palette" onClose={onClose}>
      <Form class="stack" onSend={() => run(found[chosen])}>
        <input
          role="combobox"
          aria-label="Command"
          aria-expanded="true"
          aria-controls="commands"
          aria-activedescendant={`command-${chosen}`}
          autocomplete="off"
          spellcheck={false}
          placeholder="a view, a table, a session, a fault…"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
        <div class="found">
          <ul id="commands" class="commands" role="listbox" aria-label="Commands">
            {found.map((command, index) => (
              <li
                key={`${command.kind} ${command.title}`}
                id={`command-${index}`}
                role="option"
                aria-selected={index === chosen}
                onClick={() => run(command)}
              >
                <span class="muted">{command.kind}</span> <span>{command.title}</span>
              </li>
            ))}
          </ul>
          {found.length === 0 && <p class="empty">Nothing has that name.</p>}
        </div>
      </Form>
    </Modal>
  );
}

const keys = [
  ["Ctrl K", "find a command: a view, a table, a session, a script, a fault to plan"],
  ["/", "find in this view"],
  ["?", "show these keys"],
  ["Escape", "close a window or the details, or cancel an edit"],
  ["Up, Down", "go from one request or command to the next"],
  ["Left, Right", "fold or open a conversation, or go from one tab of a request to the next"],
  ["Arrows, Enter", "go from cell to cell in a table, and edit one"],
  ["Space", "pick the row of a cell"],
  ["Ctrl Z", "undo your last change of a table"],
  ["Ctrl Enter", "send a chat"],
] as const;

/** A list of the keyboard shortcuts of all views. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }): VNode {
  return (
    <Modal label="Keys" onClose={onClose}>
      <div class="stack keys">
        <h2>Keys</h2>
        <Facts class="pairs" facts={keys} />
        <Button text="Close" class="end" autofocus onClick={onClose} />
      </div>
    </Modal>
  );
}
