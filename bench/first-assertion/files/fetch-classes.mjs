// Prints how long Node takes for the first request and response that it makes, in milliseconds.
const started = performance.now();
const request = new Request("http://localhost/rest/users/1");
const headers = { "content-type": "application/json" };
await new Response(`{"url":"${request.url}"}`, { headers }).json();
console.log(JSON.stringify([performance.now() - started]));
