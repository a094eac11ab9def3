import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Script } from "../../../core/chat/scripts/script.ts";
import type { ConversationForm } from "../../../core/http/endpoint.ts";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import { asObject, type JsonObject, parseJson } from "../../../core/schema/json.ts";
import { useConsole, useKept, useLoad, useResource } from "../parts/use-console.ts";
import { Button, Check, CodeField, Field, Form, Select } from "../parts/controls.tsx";
import { PageHead } from "../parts/display.tsx";
import { useUrlState } from "../parts/route.ts";
import { Conversation } from "./conversation-view.tsx";
import { chatBody, continued, type DraftChat, draftOfBody, firstChat } from "./conversation.ts";
import { useChat } from "./run-chat.ts";
import { exampleOf } from "./script-example.ts";

interface ModelList {
  readonly data: readonly { readonly id: string }[];
}

/** The view for trying conversations. It shows why each answer was given, and what can be sent next. */
export function ChatsView({ entries }: { readonly entries: readonly JournalEntry[] }): VNode {
  const { client, setup } = useConsole();
  const { value: models } = useLoad(() => client.chat<ModelList>(setup, "/models"), "");
  const { value: known } = useResource("/chats");
  const names = models?.data.map(({ id }) => id) ?? [];
  const scripts = known?.chats ?? [];
  const { draft, setDraft, send, begin, ...talk } = useConversation(names);
  return (
    <>
      <PageHead title="Chats" note={`profile ${setup.profiles.chat}`}>
        <Button
          text="New conversation"
          onClick={() => begin({ ...draft, messages: [{ role: "user", content: "" }] })}
        />
      </PageHead>
      <Form
        class="two"
        aria-label="Request"
        onSend={() => send(draft)}
        onKeyDown={(event) => {
          // Ctrl+Enter or Cmd+Enter sends from any field.
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          // Like the button, this checks that required fields are filled in.
          event.currentTarget.requestSubmit();
        }}
      >
        <section class="panel" aria-label="Settings">
          <ChatSettings draft={draft} models={names} onChange={setDraft} />
          <Examples scripts={scripts} models={names} onChoose={begin} />
        </section>
        <Conversation
          {...talk}
          draft={draft}
          entries={entries}
          scripts={scripts}
          onChange={(messages) => setDraft({ ...draft, messages })}
          onSend={(messages) => send({ ...draft, messages })}
        />
      </Form>
    </>
  );
}

interface ChatSettingsProps {
  readonly draft: DraftChat;
  readonly models: readonly string[];
  readonly onChange: (draft: DraftChat) => void;
}

const formNames: Readonly<Record<ConversationForm, string>> = {
  completions: "Chat completions",
  responses: "Responses",
};

/** The fields of a request besides its messages. */
function ChatSettings({ draft, models, onChange }: ChatSettingsProps): VNode {
  const { setup } = useConsole();
  const forms = setup.endpoints.flatMap(({ form }) => form ?? []);
  return (
    <>
      <div class="row bottom">
        <Field label="Model" class="grow">
          <input
            list="models"
            required
            autocomplete="off"
            spellcheck={false}
            value={draft.model}
            onInput={(event) => onChange({ ...draft, model: event.currentTarget.value })}
          />
        </Field>
        <datalist id="models">
          {models.map((id) => (
            <option key={id} value={id} />
          ))}
        </datalist>
        {forms.length > 1 && (
          <Select
            label="API"
            value={draft.form}
            options={forms.map((form) => [form, formNames[form]] as const)}
            onChange={(form) => onChange({ ...draft, form })}
          />
        )}
        <Check
          label="stream"
          checked={draft.stream}
          onChange={(stream) => onChange({ ...draft, stream })}
        />
      </div>
      <CodeField
        label="Tools and further fields (JSON object)"
        rows={Math.min(12, Math.max(2, draft.more.split("\n").length))}
        placeholder={exampleFields}
        value={draft.more}
        onChange={(more) => onChange({ ...draft, more })}
      />
    </>
  );
}

const exampleFields =
  '{"n": 2, "tools": [{"type": "function", "function": {"name": "get_weather"}}]}';

interface ExamplesProps {
  readonly scripts: readonly Script[];
  readonly models: readonly string[];
  readonly onChoose: (example: DraftChat) => void;
}

/** Example conversations that scripts answer, for scripts whose conditions suggest one. */
function Examples({ scripts, models, onChoose }: ExamplesProps): VNode | null {
  const examples = scripts.flatMap((script) => {
    const example = exampleOf(script, models);
    return example === undefined ? [] : [[script.name, example] as const];
  });
  if (examples.length === 0) return null;
  return (
    <details open>
      <summary>Try what a script answers</summary>
      <ul class="lines examples" aria-label="Examples">
        {examples.map(([name, example]) => (
          <li key={name}>
            <button type="button" class="quiet" onClick={() => onChoose(example)}>
              <strong>{name}</strong> {example.messages.at(-1)?.content}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

/**
 * The conversation in the editor, to which each answer is added when it ends. A draft without a model gets the first of
 * `models`.
 */
function useConversation(models: readonly string[]) {
  const { draft: kept, setDraft, keepInAddress } = useDraft();
  const [problem, setProblem] = useState<string>();
  const list = useRef<HTMLOListElement>(null);
  const draft = kept.model === "" ? { ...kept, model: models[0] ?? "" } : kept;
  const chat = useChat((run) => {
    if (run.answer.choices.length === 0) return;
    setDraft({ ...draft, messages: continued(draft.messages, run) });
    chat.clear();
    const { activeElement, body } = document;
    const isHere = activeElement === body || list.current?.closest("form")?.contains(activeElement);
    if (isHere === true) writeNext(list.current);
  });
  const send = (wanted: DraftChat): void => {
    const made = chatBody(wanted);
    setProblem(made.ok ? undefined : made.error);
    if (!made.ok) return;
    setDraft(wanted);
    keepInAddress(made.value);
    chat.send(made.value, wanted.form);
  };
  const begin = (next: DraftChat): void => {
    chat.clear();
    setDraft(next);
    writeNext(list.current);
  };
  return { draft, setDraft, run: chat.run, problem, list, send, stop: chat.stop, begin };
}

/** Focuses the first empty message, else the last one, once they are drawn. */
function writeNext(list: HTMLElement | null): void {
  setTimeout(() => {
    const texts = [...(list?.querySelectorAll("textarea") ?? [])];
    (texts.find(({ value }) => value === "") ?? texts.at(-1))?.focus();
  });
}

/**
 * The draft, which is kept when the view changes. The address contains the last request that was sent, or one to begin
 * with.
 */
function useDraft() {
  const [draft, setDraft] = useKept<DraftChat>("chat", firstChat);
  const [sent, setSent] = useKept("chat in the address", "");
  const [{ body }, change] = useUrlState({ body: "" });
  useEffect(() => {
    const linked = body === sent ? undefined : asObject(parseJson(body));
    if (linked === undefined) return;
    setSent(body);
    setDraft(draftOfBody(linked));
  }, [body]);
  const keepInAddress = (made: JsonObject): void => {
    const text = JSON.stringify(made);
    setSent(text);
    change({ body: text });
  };
  return { draft, setDraft, keepInAddress };
}
