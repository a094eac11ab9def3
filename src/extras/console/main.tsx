import { render } from "preact";
import { App } from "./app.tsx";
import "./style/base.css";
import "./style/parts.css";
import "./style/views.css";
import { applyTheme, storedTheme } from "./parts/theme.ts";

const root = document.getElementById("console");
if (root !== null) {
  applyTheme(storedTheme());
  root.replaceChildren();
  render(<App />, root);
}
