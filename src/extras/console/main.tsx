import { render } from "preact";
import { App } from "./app.tsx";
import "./style/base.css";
import "./style/views.css";

const root = document.getElementById("console");
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
