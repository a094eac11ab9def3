import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { asObject, type JsonObject, parseJson } from "../../../core/schema/json.ts";
import { useUrlState } from "../parts/route.ts";
import { useKept } from "../parts/use-kept.ts";
import { chatBody, continued, type DraftChat, draftOfBody, firstChat } from "./conversation.ts";
import { type ChatRun, useChat } from "./run-chat.ts";

/** A conversation that goes on. */
interface OpenConversation {
  readonly draft: DraftChat;
  readonly setDraft: (draft: DraftChat) => void;
  /** The answer that is under way, or that has nothing to go on with. */
  readonly run: ChatRun | undefined;
  /** Why the draft cannot be sent. */
  readonly problem: string | undefined;
  /** The messages. */
  readonly list: RefObject<HTMLOListElement | null>;
  readonly send: (draft: DraftChat) => void;
  readonly stop: () => void;
  /** Begins another conversation. */
  readonly begin: (draft: DraftChat) => void;
}

/** The conversation, to which each answer is added when it ends. A draft without a model has the first of `models`. */
export function useConversation(models: readonly string[]): OpenConversation {
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
    chat.send(made.value);
  };
  const begin = (next: DraftChat): void => {
    chat.clear();
    setDraft(next);
    writeNext(list.current);
  };
  return { draft, setDraft, run: chat.run, problem, list, send, stop: chat.stop, begin };
}

/** Puts the focus on the first message that is empty, else on the last, after they are drawn. */
function writeNext(list: HTMLElement | null): void {
  setTimeout(() => {
    const texts = [...(list?.querySelectorAll("textarea") ?? [])];
    (texts.find(({ value }) => value === "") ?? texts.at(-1))?.focus();
  });
}

/** The draft, which outlives the view. The address has the request that was sent last, or one to begin with. */
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
