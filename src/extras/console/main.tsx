import "./style/index.css";
import { render, type VNode } from "preact";
import { useMemo, useState, useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { baseOf, Client, type Failure, keepControlToken, type ConsoleSetup } from "./api/client.ts";
import { FailureNotice, Problem } from "./parts/display.tsx";
import { Button, Field, Form } from "./parts/controls.tsx";
import { useSettled } from "./parts/use-settled.ts";
import { useLoad, ConsoleContext, type ConsoleTools } from "./parts/use-console.ts";
import type { JournalSummary } from "../../core/emulator/journal/entry.ts";
import { counted } from "../../core/errors/show.ts";
import { ChatsView } from "./chats/chats-view.tsx";
import { FaultsView } from "./faults/faults-view.tsx";
import { BrokenFixtures, ConnectionBadge, FailedAction, NotBegun, Told } from "./connection.tsx";
import { Commands, KeyHelp } from "./commands.tsx";
import { hashOf, useRoute, type ViewName, viewNames } from "./parts/route.ts";
import { isOwn } from "./requests/filter.ts";
import { RequestsView } from "./requests/requests-view.tsx";
import { useRequests, type WatchedRequests } from "./requests/use-requests.ts";
import { ScriptsView } from "./scripts/scripts-view.tsx";
import { SessionsView } from "./sessions/sessions-view.tsx";
import { TablesView } from "./tables/tables-view.tsx";

const root = document.getElementById("console");
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}

/** The console: reads its setup, then shows the views. */
function App(): VNode {
  const client = useMemo(() => new Client(baseOf(location.pathname)), []);
  const load = (): ReturnType<typeof client.control<ConsoleSetup>> =>
    client.control("/console.json");
  const { value, failure, reload } = useLoad(load, "");
  // The setup is read repeatedly and is mostly unchanged. Keeping the same object avoids rendering everything again.
  const setup = useMemo(() => value, [JSON.stringify(value)]);
  if (failure?.code === "wrong_token") return <TokenForm onGiven={reload} />;
  if (setup !== undefined) return <Shell client={client} setup={setup} reload={reload} />;
  return (
    <main class="door" aria-busy={failure === undefined}>
      {failure === undefined ? (
        <p class="muted">Opening the console…</p>
      ) : (
        <>
          <h1>Backlot</h1>
          <FailureNotice failure={failure} />
          <Button text="Try again" onClick={reload} />
        </>
      )}
    </main>
  );
}

function TokenForm({ onGiven }: { readonly onGiven: () => void }): VNode {
  const [token, setToken] = useState("");
  const [wasGiven, setGiven] = useState(false);
  const give = (): void => {
    keepControlToken(token.trim());
    setGiven(true);
    onGiven();
  };
  return (
    <main class="door">
      <h1>Backlot</h1>
      <Form class="stack" onSend={give}>
        <p>This server asks for its control token, the one that it was started with.</p>
        <Field label="Control token">
          <input
            type="password"
            autocomplete="off"
            required
            autofocus
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </Field>
        <Problem text={wasGiven ? "That is not the token of this server." : undefined} />
        <Button text="Open the console" type="submit" class="primary" />
        <p class="muted">It is kept for this tab, until it is closed.</p>
      </Form>
    </main>
  );
}

interface ShellProps {
  readonly client: Client;
  readonly setup: ConsoleSetup;
  readonly reload: () => void;
}

/** The views: their titles, and their components. */
const views: Readonly<
  Record<ViewName, readonly [string, (requests: WatchedRequests, name?: string) => VNode]>
> = {
  requests: ["Requests", (requests, name) => <RequestsView requests={requests} selected={name} />],
  tables: ["Tables", (_, name) => <TablesView selected={name} />],
  chats: ["Chats", ({ entries }) => <ChatsView entries={entries} />],
  scripts: ["Scripts", (_, name) => <ScriptsView selected={name} />],
  sessions: ["Sessions", () => <SessionsView />],
  faults: ["Faults", ({ entries }) => <FaultsView entries={entries} />],
};

/** A dialog above all views. */
type OpenWindow = { readonly name: "commands"; readonly start: string } | { readonly name: "keys" };

/** The frame around the views. */
function Shell({ client, setup, reload }: ShellProps): VNode {
  const { view, name } = useRoute();
  const [news, announce] = useState("");
  const [open, setOpen] = useState<OpenWindow>();
  const requests = useRequests(client);
  const change = useFreshSetup(requests, view, reload);
  const [failed, report] = useState<Failure>();
  const [told, tell] = useState("");
  const tools: ConsoleTools = useMemo(
    () => ({ client, setup, change, reload, announce, report, tell }),
    [client, setup, change, reload],
  );
  useKeys(setOpen);
  const main = useRef<HTMLElement>(null);
  useFocusOnChange(main.current, view);
  const close = (): void => setOpen(undefined);
  return (
    <ConsoleContext.Provider value={tools}>
      <a class="skip" href="#main" onClick={(event) => skip(event, main.current)}>
        Skip to content
      </a>
      <Top
        setup={setup}
        view={view}
        requests={requests}
        onFind={(start) => setOpen({ name: "commands", start })}
      />
      <main ref={main} id="main" tabIndex={-1}>
        {views[view][1](requests, name)}
        <div class="toasts">
          <BrokenFixtures problem={setup.fixtureProblem} />
          <FailedAction failure={failed} onClose={() => report(undefined)} />
          <Told text={told} onClose={() => tell("")} />
          <NotBegun setup={setup} />
        </div>
      </main>
      {open?.name === "commands" && (
        <Commands start={open.start} onKeys={() => setOpen({ name: "keys" })} onClose={close} />
      )}
      {open?.name === "keys" && <KeyHelp onClose={close} />}
      <p class="unseen" role="status" aria-live="polite">
        {news}
      </p>
    </ConsoleContext.Provider>
  );
}

/** Moves the focus to the field that searches the view. False if there is no such field, or if a dialog is open. */
function findHere(): boolean {
  if (document.querySelector("dialog[open]") !== null) return false;
  const field = document.querySelector<HTMLInputElement>(
    'main [data-find], main input[type="search"]',
  );
  field?.focus();
  field?.select();
  return field !== null;
}

/** The keys that open a dialog in every view, and the key that searches the view. */
function useKeys(open: (what: OpenWindow) => void): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof Element && event.target.matches("input, textarea, select");
      if (event.key === "/" && !isTyping && findHere()) return event.preventDefault();
      const finds = event.key === "k" && (event.ctrlKey || event.metaKey);
      if (!finds && (event.key !== "?" || isTyping)) return;
      event.preventDefault();
      open(finds ? { name: "commands", start: "" } : { name: "keys" });
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [open]);
}

/** How often the setup is read again while no stream reports changes, in milliseconds. */
const refreshMs = 5000;
const shownTableMs = 1000;
/** How long after a change the setup is read again, in milliseconds. Several changes cause only one read. */
const settledMs = 300;

/**
 * Reads the setup again when something may have changed: after a request, or when the server's stream reports a
 * change. Without the stream, reads it now and then. Returns a text that identifies the last change.
 */
function useFreshSetup(
  { entries, dividers, changes, state }: WatchedRequests,
  view: ViewName,
  reload: () => void,
): string {
  const last = entries.findLast(mayChange);
  const request = last === undefined ? "" : `${last.id} ${last.at} ${last.status}`;
  // Fixtures that were loaded again change scripts and rows without a request.
  const change = useSettled(`${request} ${dividers.length} ${changes}`, settledMs);
  const first = useRef(change);
  useEffect(() => {
    if (change !== first.current) reload();
    if (state === "live") return undefined;
    const ms = view === "tables" ? shownTableMs : refreshMs;
    const timer = setInterval(() => document.hidden || reload(), ms);
    return () => clearInterval(timer);
  }, [change, view, reload, state]);
  return change;
}

/** Whether a request has ended and may have changed something: the console's own GET requests do not. */
function mayChange(entry: JournalSummary): boolean {
  return entry.ended !== "pending" && (entry.method !== "GET" || !isOwn(entry));
}

function skip(event: Event, main: HTMLElement | null): void {
  // The hash belongs to the view, so the link must not change it.
  event.preventDefault();
  main?.focus();
}

/** Moves the focus to the start of a new view, and sets the title. */
function useFocusOnChange(main: HTMLElement | null, view: ViewName): void {
  const before = useRef(view);
  useEffect(() => {
    document.title = `${views[view][0]} · Backlot`;
    if (before.current === view) return;
    before.current = view;
    main?.querySelector("h1")?.focus();
  }, [main, view]);
}

interface TopProps {
  readonly setup: ConsoleSetup;
  readonly view: ViewName;
  readonly requests: WatchedRequests;
  /** Opens the commands with words to search for. */
  readonly onFind: (start: string) => void;
}

function Top({ setup: { session, faults }, view, requests, onFind }: TopProps): VNode {
  return (
    <header class="top row">
      <div class="row">
        <svg viewBox="0 0 32 32" width="20" height="20" aria-hidden="true">
          <rect width="32" height="32" rx="7" class="mark" />
          <path d="M8 24V11l8-4 8 4v13M13 24v-7h6v7" class="mark-line" />
        </svg>
        <strong class="on-wide">Backlot</strong>
      </div>
      <nav aria-label="Views">
        {viewNames.map((name) => (
          <a key={name} href={hashOf(name)} aria-current={name === view ? "page" : undefined}>
            {views[name][0]}
          </a>
        ))}
      </nav>
      <div class="state">
        {faults > 0 && (
          <a class="badge bad" href={hashOf("faults")}>
            {counted(faults, "fault")}
            <span class="on-wide"> active</span>
          </a>
        )}
        <ConnectionBadge requests={requests} />
        <Button
          text={session ?? "base session"}
          class="badge switch"
          title="The session that this page is about. Click for another one."
          onClick={() => onFind("session ")}
        />
        <button type="button" class="quiet" onClick={() => onFind("")}>
          Find <kbd>Ctrl K</kbd>
        </button>
      </div>
    </header>
  );
}
