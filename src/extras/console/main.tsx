import "./style/base.css";
import "./style/views.css";
import { render, type VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { baseOf, Client, keepControlToken, type ConsoleSetup } from "./api/client.ts";
import { FailureNotice, Problem } from "./parts/display.tsx";
import { Button, Field, Form } from "./parts/controls.tsx";
import { useLoad } from "./parts/use-console.ts";
import { Shell } from "./shell.tsx";

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
  // It is read again and again, and is mostly the same.
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
