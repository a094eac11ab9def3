import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Form } from "./form.tsx";
import { Modal } from "./modal.tsx";

/** Something that can be done from everywhere. */
export interface Command {
  /** What it has in common with others, such as `Session`. */
  readonly kind: string;
  readonly title: string;
  /** Where it leads, or what it does. */
  readonly act: string | (() => void);
}

interface PaletteProps {
  readonly commands: readonly Command[];
  /** The words that are looked for in the beginning. */
  readonly start: string;
  readonly onClose: () => void;
}

const mostShown = 50;

/** The commands whose kind and title have all words, as they are listed. */
export function findCommands(commands: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/);
  return commands
    .filter(({ kind, title }) => {
      const name = `${kind} ${title}`.toLowerCase();
      return words.every((word) => name.includes(word));
    })
    .slice(0, mostShown);
}

/** Finds a command by parts of its name, and does it. */
export function Palette({ commands, start, onClose }: PaletteProps): VNode {
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
    <Modal label="Commands" onClose={onClose}>
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
        <ul id="commands" class="commands" role="listbox" aria-label="Commands">
          {found.map((command, index) => (
            <li
              key={`${command.kind} ${command.title}`}
              id={`command-${index}`}
              class="row"
              role="option"
              aria-selected={index === chosen}
              onClick={() => run(command)}
            >
              <span class="muted">{command.kind}</span> {command.title}
            </li>
          ))}
        </ul>
        {found.length === 0 && <p class="empty">Nothing has that name.</p>}
      </Form>
    </Modal>
  );
}
