import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Script } from "../../../core/chat/scripts/script.ts";
import type { ConversationForm } from "../../../core/http/endpoint.ts";
import type { JournalSummary } from "../../../core/emulator/journal/entry.ts";
import { asObject, type JsonObject, parseJson } from "../../../core/schema/json.ts";
import { useConsole, useKept, useLoad, useResource } from "../parts/use-console.ts";
import { Button, Check, CodeField, Field, Form, Select } from "../parts/controls.tsx";
import { PageHead } from "../parts/display.tsx";
import { useUrlState } from "../parts/route.ts";
import { Conversation } from "./conversation-view.tsx";
import {
  chatBody,
  continued,
  type DraftChat,
  draftOfBody,
  type DraftMessage,
  firstChat,
  firstToWrite,
  goesOnByItself,
  lastText,
  messageOf,
  type SentChat,
} from "./conversation.ts";
import { inOtherForm } from "./other-form.ts";
import { useDetails } from "../requests/details.ts";
import { entryKey } from "../requests/summary.ts";
import { placeOf } from "./address.ts";
import { type ChatRun, useChat } from "./run-chat.ts";
import { exampleOf } from "./script-example.ts";

interface ModelList {
  readonly data: readonly { readonly id: string }[];
}

/** The view for trying conversations. It shows why each answer was given, and what can be sent next. */
export function ChatsView({ entries }: { readonly entries: readonly JournalSummary[] }): VNode {
  const { client, setup } = useConsole();
  const { value: models } = useLoad(() => client.chat<ModelList>(setup, "/models"), "");
  const { value: known } = useResource("/chats");
  const names = models?.data.map(({ id }) => id) ?? [];
  const scripts = known?.chats ?? [];
  const { draft, setDraft, send, begin, changeForm, ...talk } = useConversation(names, entries);
  const [isSetting, setSetting] = useState(false);
  return (
    <>
      <PageHead
        title="Chats"
        note={<span class="on-wide">{`profile ${setup.profiles.chat}`}</span>}
      >
        <Button
          text="Settings"
          class="for-settings"
          aria-expanded={isSetting}
          aria-controls="chat-settings"
          onClick={() => setSetting(!isSetting)}
        />
        <Button
          text="New conversation"
          onClick={() => begin({ ...draft, messages: [messageOf("user", "")] })}
        />
      </PageHead>
      <Form
        class={isSetting ? "chat setting" : "chat"}
        aria-label="Request"
        onSend={() => send(draft)}
        onInvalidCapture={() => setSetting(true)}
        onKeyDown={(event) => {
          // Ctrl+Enter or Cmd+Enter sends from any field.
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          // Like the button, this checks that required fields are filled in.
          event.currentTarget.requestSubmit();
        }}
      >
        <section id="chat-settings" class="panel settings" aria-label="Settings">
          <ChatSettings
            draft={draft}
            models={names}
            onChange={setDraft}
            onForm={(form) => changeForm(form)}
          />
        </section>
        <Conversation
          {...talk}
          draft={draft}
          entries={entries}
          scripts={scripts}
          empty={<Examples scripts={scripts} models={names} onChoose={begin} />}
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
  readonly onForm: (form: ConversationForm) => void;
}

const formNames: Readonly<Record<ConversationForm, string>> = {
  completions: "Chat completions",
  responses: "Responses",
};

/** The fields of a request besides its messages. */
function ChatSettings({ draft, models, onChange, onForm }: ChatSettingsProps): VNode {
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
            onChange={onForm}
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
    <div>
      <h2>Try what a script answers</h2>
      <ul class="examples" aria-label="Examples">
        {examples.map(([name, example]) => (
          <li key={name}>
            <button type="button" onClick={() => onChoose(example)}>
              <strong>{name}</strong> <span class="muted">{lastText(example)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/**
 * The conversation in the editor, to which each answer is added when it ends. A draft without a model gets the first of
 * `models`.
 */
function useConversation(models: readonly string[], entries: readonly JournalSummary[]) {
  const { draft: kept, setDraft, keepInAddress } = useDraft(entries);
  const [problem, setProblem] = useState<string>();
  const [turns, setTurns] = useState<readonly DraftMessage[]>([]);
  const region = useRef<HTMLElement>(null);
  const draft = kept.model === "" ? { ...kept, model: models[0] ?? "" } : kept;
  const goOn = (run: ChatRun): void => {
    setDraft({ ...draft, messages: continued(draft, run) });
    chat.clear();
  };
  const chat = useChat((run) => {
    if (goesOnByItself(run)) goOn(run);
    const { activeElement, body } = document;
    const isHere = activeElement === body || activeElement?.closest(".composer") !== null;
    // A user who reads an earlier answer meanwhile keeps the focus there.
    if (isHere) writeNext(region.current);
  });
  const send = (wanted: DraftChat): void => {
    const made = chatBody(wanted);
    setProblem(made.ok ? undefined : made.error);
    if (!made.ok) return;
    setDraft(wanted);
    setTurns(wanted.messages.slice(firstToWrite(wanted.messages)));
    keepInAddress(made.value, chat.send(made.value, wanted.form));
  };
  const changeForm = (form: ConversationForm): void => {
    const { draft: translated, left } = inOtherForm(draft, form);
    setDraft(translated);
    const names = left.join(", ");
    setProblem(left.length === 0 ? undefined : `${formNames[form]} have no ${names}: left out.`);
  };
  const begin = (next: DraftChat): void => {
    chat.clear();
    setDraft(next);
    writeNext(region.current);
  };
  const { run } = chat;
  const sent: SentChat | undefined = run && { run, turns };
  return {
    draft,
    setDraft,
    sent,
    problem,
    region,
    send,
    stop: chat.stop,
    begin,
    onGoOn: () => {
      if (run !== undefined) goOn(run);
      writeNext(region.current);
    },
    changeForm,
  };
}

/** Focuses the first empty message, else the last one, once they are drawn. */
function writeNext(region: HTMLElement | null): void {
  setTimeout(() => {
    const texts = [...(region?.querySelectorAll("textarea") ?? [])];
    (texts.find(({ value }) => value === "") ?? texts.at(-1))?.focus();
  });
}

/**
 * The draft, which is kept when the view changes. The address contains the last request that was sent, or one to
 * begin with; for a long request, its name in the journal.
 */
function useDraft(entries: readonly JournalSummary[]) {
  const [draft, setDraft] = useKept<DraftChat>("chat", firstChat);
  const [sent, setSent] = useKept("chat in the address", "");
  const [{ body, from }, change] = useUrlState({ body: "", from: "" });
  const asked = from === "" ? body : from;
  const named = from === "" ? undefined : entries.findLast((one) => isNamed(one, from));
  const { entry } = useDetails(asked === sent ? undefined : named);
  const found = from === "" ? parseJson(body) : entry?.body;
  useEffect(() => {
    const linked = asked === sent ? undefined : asObject(found);
    if (linked === undefined) return;
    setSent(asked);
    setDraft(draftOfBody(linked));
  }, [asked, found === undefined]);
  const keepInAddress = (made: JsonObject, mark: string): void => {
    const place = placeOf(made, mark);
    setSent(place.from === "" ? place.body : place.from);
    change(place);
  };
  return { draft, setDraft, keepInAddress };
}

/** Whether a name in the address means a request: its key, or the mark with which it was sent from here. */
function isNamed(entry: JournalSummary, name: string): boolean {
  return entryKey(entry) === name || entry.console === name;
}
