import { render } from "preact";
import { start } from "virtual:backlot";
import { Chat } from "./chat.tsx";
import { Products } from "./products.tsx";

// Nothing where a server answers; with a service worker, the requests wait for it.
await start();

const place = document.querySelector("#shop");
if (place !== null) {
  render(
    <>
      <header>
        <h1>The Paper Kettle</h1>
        <p>Tea, coffee and paper, in Lisbon</p>
      </header>
      <main>
        <Products />
        <Chat />
      </main>
    </>,
    place,
  );
}
