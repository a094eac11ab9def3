import { expect, test } from "vitest";
import { isEmulatorError } from "../../../src/core/errors/emulator-error.ts";
import { createTemplates, isTemplate } from "../../../src/core/template/templates.ts";

const templates = createTemplates({ seed: 1 });

async function failure(text: string, scope: object = {}): Promise<string> {
  try {
    return `rendered ${await templates.render(text, scope)}`;
  } catch (error) {
    return isEmulatorError(error) ? `${error.code} ${error.message}` : `not ours: ${String(error)}`;
  }
}

/** The same of a template of generated rows, where nothing may be absent. */
async function strictFailure(text: string, scope: object): Promise<string> {
  try {
    return `rendered ${String((await templates.compile(text))(scope))}`;
  } catch (error) {
    return isEmulatorError(error) ? `${error.code} ${error.message}` : `not ours: ${String(error)}`;
  }
}

test("tells a template from plain text", () => {
  expect(isTemplate("{{ user }}")).toBe(true);
  expect(isTemplate("{% if user %}x{% endif %}")).toBe(true);
  expect(isTemplate("{ user } 100 %")).toBe(false);
});

test("renders variables, filters and tags", async () => {
  const text = "{% for n in list %}{{ n | times: 2 }},{% endfor %}{{ match.city | upcase }}";
  expect(await templates.render(text, { list: [1, 2], match: { city: "oslo" } })).toBe("2,4,OSLO");
});

test("renders an absent variable as nothing, whatever it is absent from", async () => {
  const text =
    "[{{ nope }}{{ match.citi }}{{ request.metadata.user.name }}{{ messages[9].content }}]";
  const scope = { match: { city: "Oslo" }, request: {}, messages: [] };
  expect(await templates.render(text, scope)).toBe("[]");
  expect(await templates.evaluate("{{ request.metadata.user }}", scope)).toBe("");
  expect(await templates.evaluate("{{ match.city }}", { match: { city: null } })).toBeNull();
});

test("names the nearest variable of one that a generated row does not have", async () => {
  const message = await strictFailure("Hi {{ match.citi }}", { match: { city: "Oslo" } });
  expect(message).toBe(
    "ERR_TEMPLATE_INVALID Cannot render the template at line 1, column 7: " +
      'undefined variable: match.citi. Did you mean "city"?',
  );
});

test("lets `if` and `default` ask for a variable that is not there", async () => {
  const text = "{% if match.city %}a{% else %}b{% endif %}{{ match.city | default: 'c' }}";
  expect(await templates.render(text, { match: {} })).toBe("bc");
});

test("renders null as nothing", async () => {
  expect(await templates.render("[{{ match.city }}]", { match: { city: null } })).toBe("[]");
});

test("does not reach prototypes", async () => {
  for (const text of ["{{ user.constructor }}", "{{ user.__proto__ }}"]) {
    expect(await strictFailure(text, { user: {} })).toContain("undefined variable");
    expect(await templates.render(text, { user: {} })).toBe("");
  }
});

test.each([
  ["{% include '/etc/passwd' %}", "include", 1, 1],
  ['a\n {% render "card.liquid" %}', "render", 2, 2],
  ["{% layout 'package.json' %}", "layout", 1, 1],
  ["{% block a %}b{% endblock %}", "block", 1, 1],
  ["{% assign f = 'package.json' %}{% include f %}", "include", 1, 32],
  ["{% liquid\n include 'x'\n%}", "include", 2, 2],
  ["{% if x %}{% include x %}{% endif %}", "include", 1, 11],
])(
  "refuses the tag of %j by name, before any file is looked for",
  async (text, tag, line, column) => {
    const message =
      `the tag "${tag}" works with other files, which templates here cannot use; ` +
      "write its text in this template.";
    expect(await templates.check(text, { variables: [] })).toEqual({ message, line, column });
    expect(await failure(text, { x: 1 })).toBe(
      `ERR_TEMPLATE_INVALID Cannot render the template at line ${line}, column ${column}: ${message}`,
    );
  },
);

test("does not suggest a tag that is refused", async () => {
  expect((await templates.check("{% inclde 'x' %}"))?.message).toBe('tag "inclde" not found.');
});

test.each([
  ["{{ list[5] }}", { list: ["a", "b"] }, "list.5. The indexes go from 0 to 1."],
  ["{{ list[1].a }}", { list: ["a"] }, "list.1. There is only one item, with the index 0."],
  ["{{ list[0] }}", { list: [] }, "list.0. There is no item."],
  ["{{ list.frst }}", { list: ["a"] }, "list.frst."],
])("says of %j which items there are", async (text, scope, words) => {
  expect(await strictFailure(text, scope)).toMatch(new RegExp(`undefined variable: ${words}$`));
});

test("stops a template that makes too much", async () => {
  const text = "{% for i in (1..1000000000) %}x{% endfor %}";
  expect(await failure(text)).toContain("memory alloc limit exceeded");
});

test.each([
  ["Hi\n {{ user ", 'output "{{ user " not closed', 2, 2],
  ["{{ 'a' | upcas }}", 'undefined filter: upcas. Did you mean "upcase"?', 1, 1],
  ["{% iff x %}{% endif %}", 'tag "iff" not found. Did you mean "if"?', 1, 1],
  ["a\n{{ 'person.fullNme' | faker }}", '"person.fullNme" is not a method of faker.', 2, 4],
])("finds what is wrong with %j", async (text, message, line, column) => {
  const problem = await templates.check(text);
  expect(problem).toMatchObject({ line, column });
  expect(problem?.message).toContain(message);
});

test("finds a variable that is not in scope", async () => {
  const problem = await templates.check("a {{ usr }}", { variables: ["user", "match"] });
  expect(problem).toEqual({
    message: 'undefined variable: usr. Did you mean "user"?',
    line: 1,
    column: 6,
  });
});

test("finds nothing wrong with a good template", async () => {
  const text = "{% assign x = 1 %}{{ x }} {{ 'person.fullName' | faker }} {{ match.a.b }}";
  expect(await templates.check(text, { variables: ["match"] })).toBeUndefined();
});

test("gives the same fake values for the same seed, whatever other renderers do", async () => {
  const text = "{{ 'person.fullName' | faker }} {{ 'number.int' | faker }}";
  const [one, two, other] = [5, 5, 6].map((seed) => createTemplates({ seed }));
  const first = [await one?.render(text, {}), await one?.render(text, {})];
  await other?.render(text, {});
  const second = [await two?.render(text, {}), await two?.render(text, {})];
  expect(second).toEqual(first);
  expect(first[0]).not.toBe(first[1]);
  expect(await other?.render(text, {})).not.toBe(first[1]);
});

test("takes chance from the source that is given", async () => {
  const lowest = createTemplates({ random: () => 0 });
  expect(await lowest.evaluate("{{ 'number.int' | faker: min: 3, max: 9 }}", {})).toBe(3);
});

test("passes arguments on to faker", async () => {
  expect(await templates.render("{{ 'string.alpha' | faker: 12 }}", {})).toMatch(/^[a-zA-Z]{12}$/);
});

test("names the nearest faker method of one that does not exist", async () => {
  expect(await failure("{{ 'persn.fullName' | faker }}")).toContain(
    'Did you mean "person.fullName"?',
  );
  expect(await failure("{{ 'fakerCore.locale' | faker }}")).toContain("is not a method of faker");
});

test("takes the time from the clock that is given", async () => {
  const timed = createTemplates({ seed: 1, now: () => Date.UTC(2024, 1, 29, 12) });
  expect(await timed.render("{{ 'now' | date: '%Y-%m-%d %H:%M' }}", {})).toBe("2024-02-29 12:00");
  expect(await timed.render("{{ 'date.recent' | faker }}", {})).toMatch(/^2024-02-2[89]T/);
});

test("evaluates one expression to its type, and anything else to text", async () => {
  const scope = { n: 4, list: [1, 2], none: null };
  expect(await templates.evaluate("{{ n }}", scope)).toBe(4);
  expect(await templates.evaluate("{{ n | divided_by: 2 }}", scope)).toBe(2);
  expect(await templates.evaluate("{{ list }}", scope)).toEqual([1, 2]);
  expect(await templates.evaluate("{{ none }}", scope)).toBeNull();
  expect(await templates.evaluate("{{ n }}{{ n }}", scope)).toBe("44");
  expect(await templates.evaluate("n={{ n }}", scope)).toBe("n=4");
  expect(await templates.evaluate("plain", scope)).toBe("plain");
});

test.each([
  "{{ 'person.fullName' | faker }}",
  "{{ 'number.int' | faker: min: 1, max: 1000 }}",
  "{{ 'string.alpha' | faker: 12 }}",
  "{{ 'date.past' | faker: years: 2 }}",
  "{{ 'datatype.boolean' | faker }}",
  "{{ 'person.firstName' | faker | upcase }}",
  "{{ 'number.int' | faker: max: n }}",
  "{{ 'datatype.boolean' | faker: probability: none }}",
  "Dr. {{ 'person.lastName' | faker }}",
  "{{ n }}",
  "{{ none }}",
  "plain",
])("gives %j the same values compiled as evaluated", async (text) => {
  const options = { seed: 7, now: () => Date.UTC(2024, 0, 1) };
  const scope = { n: 4, none: null };
  const [one, other] = [createTemplates(options), createTemplates(options)];
  const compiled = await one.compile(text);
  const values = [compiled(scope), compiled(scope)];
  expect(values).toEqual([await other.evaluate(text, scope), await other.evaluate(text, scope)]);
});

test("says where a compiled template fails", async () => {
  const compiled = await templates.compile("{{ 'number.int' | faker: min: 5, max: 1 }}");
  expect(() => compiled({})).toThrow("Cannot render the template at line 1, column 1: ");
});

test("samples one item of a list, or some", async () => {
  const scope = { list: Array.from({ length: 1_000 }, (_, index) => index), none: [] };
  expect(scope.list).toContain(await templates.evaluate("{{ list | sample }}", scope));
  const some = await templates.evaluate("{{ list | sample: 3 }}", scope);
  expect(some).toHaveLength(3);
  expect(await templates.evaluate("{{ none | sample }}", scope)).toBeNull();
});

const members = { match: ["city"], none: [], user: "text", messages: "list" } as const;
const variables = Object.keys(members);

test.each([
  ["{{ match[1] }}", 'match.1. In "match" here: "city".'],
  ["{{ match.first }}", 'match.first. In "match" here: "city".'],
  ["{{ match['cit'] }}", 'match.cit. Did you mean "city"?'],
  ["{{ user.first }}", 'user.first. "user" is a text: it has "size", and letters by number.'],
  ["{{ messages.lasst }}", 'messages.lasst. Did you mean "last"?'],
  [
    "{{ messages.content }}",
    'messages.content. "messages" is a list: it has "size", "first", "last", and items by number, from 0.',
  ],
  ["{{ none.city }}", 'none.city. There is nothing in "none" here.'],
])("says of %s what there is instead", async (text, words) => {
  const problem = await templates.check(text, { variables, members });
  expect(problem?.message).toBe(`undefined variable: ${words}`);
});

test.each([
  "{{ match.city }}{{ match.size }}{{ match[1] | default: 'x' }}",
  "{{ user.size }}{{ user[0] }}{{ user[-1] }}",
  "{{ messages.size }}{{ messages.first }}{{ messages.last }}{{ messages[0] }}{{ messages[-1] }}",
])("takes %s where the kinds of variables are known", async (text) => {
  expect(await templates.check(text, { variables, members })).toBeUndefined();
});
