import { expect, test } from "vitest";
import { openBlog } from "./blog.ts";

const pattern = ", where %25 is an encoded %.";
const noNull = (column: string): string =>
  `NULL matches no operator: leave out this filter and write sort_by=${column}, which puts the rows without ${column} first.`;

/** Legal queries that find nothing, and the right form. */
const fruitless: readonly (readonly [target: string, advice: string])[] = [
  ["posts?id=1&id=2", "Write id.in=1,2."],
  ["posts?id=1&id.eq=2&id=3", "Write id.in=1,3,2."],
  ["posts?id.in=1,2&id=3", "Write id.in=1,2,3."],
  ["posts?title=Kettle&title=Teapot", "Write title.in=Kettle,Teapot."],
  ["posts?id=1,2", "Write id.in=1,2."],
  ["posts?id=(1,2)", "Write id.in=1,2."],
  ["posts?id=[1,2]", "Write id.in=1,2."],
  ["posts?id.in=(1,2)", "Write id.in=1,2."],
  ["posts?id.in=1;2", "Write id.in=1,2."],
  ["posts?title=Kettle,Teapot", "Write title.in=Kettle,Teapot."],
  ["posts/1,2", "Write id.in=1,2."],
  ["posts?views=10..20", "Write views.gte=10&views.lte=20."],
  ["posts?views=10-20", "Write views.gte=10&views.lte=20."],
  ["posts?views.gt=20&views.lt=10", "Write views.gt=10&views.lt=20."],
  ["posts?views=%3E10", "Write views.gt=10."],
  ["posts?views==100", "Write views=100."],
  ["posts?views=gte.10", "Write views.gte=10."],
  ["posts?views=gte:10", "Write views.gte=10."],
  ["posts?title=eq.Kettle", "Write title=Kettle."],
  ["posts?title=neq.Kettle", "Write title.ne=Kettle."],
  ["posts?title=not.eq.Kettle", "Write title.ne=Kettle."],
  ["posts?id=in.(1,2)", "Write id.in=1,2."],
  ["posts?id=not.in.(1,2)", "Write id.ne=1&id.ne=2."],
  ["posts?title=ilike.*ett*", `Write title.like=%25ett%25${pattern}`],
  ["posts?title=like.Ke%25", `Write title.like=Ke%25${pattern}`],
  ["posts?title=is.null", noNull("title")],
  ["posts?title=not.is.null", `Write title.like=%25${pattern}`],
  ["posts?title=null", noNull("title")],
  ["posts?views=NULL", noNull("views")],
  ["posts?views.gt=null", noNull("views")],
  ["posts?active=yes", "Write active=true."],
  ["posts?active=True", "Write active=true."],
  ["posts?active=off", "Write active=false."],
  [
    "posts?active=maybe",
    'active is of type BOOLEAN, so "maybe" matches nothing: write true or false.',
  ],
  ["posts?views=ten", 'views is of type INTEGER, so "ten" matches nothing: write a number.'],
  ["posts?score.gt=x", 'score is of type REAL, so "x" matches nothing: write a number.'],
  [
    "posts?id=undefined",
    'id is of type INTEGER, so "undefined" matches nothing: write a number. It looks as if the client had no value.',
  ],
  ["posts?views=", "views is of type INTEGER, so an empty value matches nothing: leave out views."],
  ["posts?title=Ket*", `Write title.like=Ket%25${pattern}`],
  ["posts?title=%25ett%25", `Write title.like=%25ett%25${pattern}`],
  ["posts?title.like=ett", `Write title.like=%25ett%25${pattern}`],
  ["posts?title.like=*ett*", `Write title.like=%25ett%25${pattern}`],
  ['posts?title="Kettle"', "Write title=Kettle."],
];

test.each(fruitless)(
  "GET %s finds nothing, and the log has the right form",
  async (target, advice) => {
    const { ask } = await openBlog();
    const { status, body, warnings } = await ask(target);
    expect([status, body]).toEqual([200, { result: [] }]);
    expect(warnings).toEqual([expect.stringMatching(/^GET \/rest\/posts[^ ]* found 0 rows\. /)]);
    expect(warnings[0]?.endsWith(` ${advice}`)).toBe(true);
  },
);

test.each([
  "posts?id=1&id=1",
  "posts?id=1&id=01",
  "posts?title=Nothing",
  "posts?title=is.",
  "posts?title=in.the.evening",
  "posts?id=99",
  "posts?views.gt=1000",
  "posts?views.gt=10&views.lt=11",
  "posts?made=2024-05-01",
  "posts?id.in=98,99",
  "posts?title.like=Nothing%25",
  "posts?active=true&id=2",
  "posts/99",
  "posts?limit=0",
  "posts?offset=50",
])("says nothing of GET %s", async (target) => {
  const { ask } = await openBlog();
  expect((await ask(target)).warnings).toEqual([]);
});

test("tells of a list in another notation although it finds some of its rows", async () => {
  const { ask } = await openBlog();
  const { body, warnings } = await ask("posts?id.in=(3,1,2)");
  expect(body.result).toHaveLength(1);
  expect(warnings).toEqual(["GET /rest/posts?id.in=(3,1,2) found 1 row. Write id.in=3,1,2."]);
});

test("tells of the same query once", async () => {
  const { ask } = await openBlog();
  expect((await ask("posts?id=1,2")).warnings).toHaveLength(1);
  expect((await ask("posts?id=1,2")).warnings).toEqual([]);
});

test("tells of queries that differ only in values a few times", async () => {
  const { ask } = await openBlog();
  let count = 0;
  for (let at = 0; at < 30; at++) count += (await ask(`posts?id=${at},${at + 1}`)).warnings.length;
  expect(count).toBe(10);
  expect((await ask("posts?title=Kettle,Teapot")).warnings).toHaveLength(1);
});

test("tells every emulator's log, also of tables that several share", async () => {
  const [one, other] = [await openBlog(), await openBlog()];
  expect((await one.ask("posts?id=1,2")).warnings).toHaveLength(1);
  expect((await other.ask("posts?id=1,2")).warnings).toHaveLength(1);
});

test("shows no secret of a query", async () => {
  const { ask } = await openBlog("starbasedb");
  const { warnings } = await ask("posts?token=my-own-secret");
  expect(warnings).toEqual([expect.stringContaining("?token=*** got 500.")]);
});

test("names no secret of a query in its advice either", async () => {
  const { ask } = await openBlog();
  const { body } = await ask("posts?access_token.neq=my-own-secret&password[]=my-own-secret");
  expect(JSON.stringify(body)).not.toContain("my-own-secret");
});

/** What the real service answers, which stays, and what the log says. */
const observed: readonly (readonly [target: string, status: number, advice: string])[] = [
  ["posts?id=1&id=2", 200, "found 1 row. Write id.in=1,2."],
  ["posts?title=Kettle&title=Teapot", 200, "found 0 rows. Write title.in=Kettle,Teapot."],
  ["posts?id=1,2", 200, "found 0 rows. Write id.in=1,2."],
  ["posts?id[]=1", 200, "found 1 row. Write id.in=1."],
  ["posts?page=2", 500, "got 500. Write limit=10&offset=10."],
  ["posts?_sort=views&_order=desc", 500, "got 500. Write sort_by=views&order=desc."],
  ["posts?order=views.desc", 200, "found 3 rows. Write sort_by=views&order=desc."],
  ["posts?sort_by=-views", 200, "found 3 rows. Write sort_by=views&order=desc."],
  ["posts?limit=all", 200, "found 3 rows. For all rows leave out limit."],
  ["posts?views:gt=10", 500, "got 500. Write views.gt=10."],
  ["posts?title.neq=Kettle", 200, "found 1 row. Write title.ne=Kettle."],
  ["posts?title.contains=ett", 200, `found 0 rows. Write title.like=%25ett%25${pattern}`],
  ["posts?title.is=null", 200, `found 0 rows. ${noNull("title")}`],
  ["posts?active=yes", 200, "found 0 rows. Write active=1."],
  ["posts?active=true", 200, "found 0 rows. Write active=1."],
];

test.each(observed)("the profile starbasedb answers %s as ever", async (target, status, advice) => {
  const { ask } = await openBlog("starbasedb");
  const answer = await ask(target);
  expect([answer.status, answer.body.hint]).toEqual([status, undefined]);
  expect(answer.warnings).toEqual([expect.stringMatching(/^GET \/rest\/posts\?/)]);
  expect(answer.warnings[0]?.endsWith(` ${advice}`)).toBe(true);
});

test.each([
  "posts",
  "posts?views.gte=10&sort_by=views&order=desc&limit=5",
  "posts/1",
  "posts?VIEWS=100",
])("its log says nothing of %s", async (target) => {
  const { ask } = await openBlog("starbasedb");
  expect((await ask(target)).warnings).toEqual([]);
});
