import { expect, test } from "vitest";
import { openBlog } from "./blog.ts";

const pattern = ", where %25 is an encoded %.";
const orNotKnown = /for OR write <column>\.in=<a>,<b>, or send a request for each\.$/;
const ofItsOwn = "Rows of another table need a request of their own: GET /rest/";
const sortNulls =
  "NULL matches no operator: leave out this filter and write sort_by=title, which puts the rows without title first.";

/** Queries as other tools have them, which are refused here, and the right form. */
const habits: readonly (readonly [query: string, hint: string | RegExp])[] = [
  // Lists.
  ["id[]=1", "Write id.in=1."],
  ["id[]=1&id[]=2", "Write id.in=1,2."],
  ["id[0]=1&id[1]=2", "Write id.in=1,2."],
  ["ids=1,2", "Write id.in=1,2."],
  ["ids[]=1&ids[]=2", "Write id.in=1,2."],
  ["id__in=1,2", "Write id.in=1,2."],
  ["id.any=1,2", "Write id.in=1,2."],
  ["id.nin=1,2", "Write id.ne=1&id.ne=2."],
  // Pages.
  ["page=2", "Write limit=10&offset=10."],
  ["page=1", "Write limit=10&offset=0."],
  ["page=0", "Write limit=10&offset=0."],
  ["p=3", "Write limit=10&offset=20."],
  ["page=2&per_page=20", "Write limit=20&offset=20."],
  ["page=3&limit=5", "Write limit=5&offset=10."],
  ["pageNumber=2&pageSize=25", "Write limit=25&offset=25."],
  ["page[number]=2&page[size]=25", "Write limit=25&offset=25."],
  ["page[offset]=20&page[limit]=10", "Write limit=10&offset=20."],
  ["_page=2&_limit=10", "Write limit=10&offset=10."],
  ["_page=2&_per_page=3", "Write limit=3&offset=3."],
  ["_start=20&_end=30", "Write limit=10&offset=20."],
  ["_start=20&_limit=5", "Write limit=5&offset=20."],
  ["skip=20&take=10", "Write limit=10&offset=20."],
  ["$skip=20&$top=10", "Write limit=10&offset=20."],
  ["per_page=5", "Write limit=5."],
  ["_limit=5", "Write limit=5."],
  ["range=[0,24]", "Write limit=25&offset=0."],
  ["limit=10,20", "Write limit=20&offset=10."],
  ["limit=all", "For all rows leave out limit."],
  ["limit=-1", "For all rows leave out limit."],
  ["limit=", "For all rows leave out limit."],
  ["_limit=all", "For all rows leave out limit."],
  ["offset=null", "For the first rows leave out offset."],
  ["cursor=ZXlK", "There are no cursors: write limit=10&offset=10 for the second page."],
  ["after=5", "Write id.gt=5&sort_by=id&limit=10."],
  ["starting_after=5&limit=3", "Write id.gt=5&sort_by=id&limit=3."],
  ["ending_before=5", "Write id.lt=5&sort_by=id&order=desc&limit=10."],
  // Order.
  ["sort=views", "Write sort_by=views."],
  ["sort=-views", "Write sort_by=views&order=desc."],
  ["sort=%2Bviews", "Write sort_by=views&order=asc."],
  ["sort=views:desc", "Write sort_by=views&order=desc."],
  ["sort=views,desc", "Write sort_by=views&order=desc."],
  ["sort=desc(views)", "Write sort_by=views&order=desc."],
  ["sort=-views,title", "Write sort_by=views&order=desc. Rows are sorted by one column."],
  ["sort[views]=desc", "Write sort_by=views&order=desc."],
  ['sort=["title","ASC"]', "Write sort_by=title&order=asc."],
  ['sort={"views":-1}', "Write sort_by=views&order=desc."],
  ["sort=viws", "Write sort_by=views."],
  ["sort=", "Write sort_by=<column>."],
  ["_sort=views&_order=desc", "Write sort_by=views&order=desc."],
  ["_order=desc", "Write order=desc."],
  ["orderBy=views&sortDir=DESC", "Write sort_by=views&order=desc."],
  ["order_by=views%20desc", "Write sort_by=views&order=desc."],
  ["$orderby=views%20desc", "Write sort_by=views&order=desc."],
  ["ordering=-views", "Write sort_by=views&order=desc."],
  ["order=views.desc", "Write sort_by=views&order=desc."],
  ["order=views.desc.nullslast", "Write sort_by=views&order=desc."],
  ["order=views", "Write sort_by=views."],
  ["order=-views", "Write sort_by=views&order=desc."],
  ["order=descending", "Write order=desc."],
  ["order=-1", "Write order=desc."],
  ["desc=views", "Write sort_by=views&order=desc."],
  ["sort_by=-views", "Write sort_by=views&order=desc."],
  ["sort_by=views,title", "Write sort_by=views. Rows are sorted by one column."],
  ["sort_by=id&sort_by=title", "Rows are sorted by one column."],
  // Search, columns and other tables.
  ["q=tea", `Write title.like=%25tea%25${pattern} A filter searches one column.`],
  ["search=tea%20pot", `Write title.like=%25tea%20pot%25${pattern} A filter searches one column.`],
  ["select=*", "Rows always have all columns: leave out select."],
  ["select=id,title", "Rows always have all columns: leave out select."],
  ["fields=id", "Rows always have all columns: leave out fields."],
  ["fields[posts]=id", "Rows always have all columns: leave out fields[posts]."],
  ["count=true", "Answers have no count: leave out count and count the rows."],
  ["_expand=user", `${ofItsOwn}users/{user_id}.`],
  ["_embed=comments", `${ofItsOwn}comments?postId.in=<keys>.`],
  ["include=comments,users", `${ofItsOwn}comments?postId.in=<keys>.`],
  ["populate=*", `${ofItsOwn}{table}.`],
  // Operators.
  ["filter[title]=Kettle", "Write title=Kettle."],
  ["filter[views][gte]=10", "Write views.gte=10."],
  ["filters[views][$gte]=10", "Write views.gte=10."],
  ["where[views][gt]=10", "Write views.gt=10."],
  ["filter.views=10", "Write views=10."],
  ["views:gt=10", "Write views.gt=10."],
  ["views_gte=10", "Write views.gte=10."],
  ["views[gte]=10", "Write views.gte=10."],
  ["views[$lt]=10", "Write views.lt=10."],
  ["views__gt=10", "Write views.gt=10."],
  ["viewsGte=10", "Write views.gte=10."],
  ["views.ge=10", "Write views.gte=10."],
  ["views.min=10", "Write views.gte=10."],
  ["min_views=10&max_views=20", "Write views.gte=10&views.lte=20."],
  ["views.between=10,20", "Write views.gte=10&views.lte=20."],
  ["viws[gte]=10", "Write views.gte=10."],
  ["views%3E=10", "Write views.gte=10."],
  ["views%3E10", "Write views.gt=10."],
  ["views%3C10", "Write views.lt=10."],
  ["views!=10", "Write views.ne=10."],
  ["title.neq=Kettle", "Write title.ne=Kettle."],
  ["title.not=Kettle", "Write title.ne=Kettle."],
  ["title.not.eq=Kettle", "Write title.ne=Kettle."],
  ["title.equals=Kettle", "Write title=Kettle."],
  ["title.contains=ett", `Write title.like=%25ett%25${pattern}`],
  ["title.ilike=ett", `Write title.like=%25ett%25${pattern}`],
  ["title.ilike=*ett*", `Write title.like=%25ett%25${pattern}`],
  ["title_like=ett", `Write title.like=%25ett%25${pattern}`],
  ["title.startsWith=Ke", `Write title.like=Ke%25${pattern}`],
  ["title__endswith=tle", `Write title.like=%25tle${pattern}`],
  ["title.regex=^Ke", `Write title.like=Ke%25${pattern} Filters know no regular expressions.`],
  ["title.eq.Kettle=", /^Columns: |^Write /],
  ["userId=1", "Write user_id=1."],
  ["user.id=1", "Write user_id=1."],
  ["posts.views=10", "Write views=10."],
  ["VIEWS=10", "Write views=10."],
  // NULL.
  ["title.is=null", sortNulls],
  ["title.isnull=true", sortNulls],
  ["title__isnull=True", sortNulls],
  ["title[null]=true", sortNulls],
  ["title.exists=false", sortNulls],
  ["title__isnull=False", `Write title.like=%25${pattern}`],
  ["title.is=not.null", `Write title.like=%25${pattern}`],
  ["title.not.is=null", `Write title.like=%25${pattern}`],
  // Conditions in one parameter.
  ["$filter=views%20gt%2010", "Write views.gt=10."],
  ["$filter=views%20ge%2010%20and%20title%20eq%20'Kettle'", "Write views.gte=10&title=Kettle."],
  ["$filter=contains(title,'ett')", `Write title.like=%25ett%25${pattern}`],
  ["where=views%3E10", "Write views.gt=10."],
  ['where={"views":{"gt":10}}', "Write views.gt=10."],
  ['filter={"where":{"title":"Kettle"}}', "Write title=Kettle."],
  ['filter={"id":[1,2]}', "Write id.in=1,2."],
  ["filter=title:Kettle", "Write title=Kettle."],
  ["filter=views:gte:10", "Write views.gte=10."],
  ["filter=title.eq.Kettle", "Write title=Kettle."],
  ["filter=views%3E10%20or%20views%3C5", orNotKnown],
  ["or=(views.gt.10,views.lt.5)", orNotKnown],
  ["filter=what", /^Write each condition as a parameter of its own/],
  // Keys.
  ["token=secret", 'Send the token in the header "Authorization: Bearer <token>".'],
];

test("refuses queries of other tools with one sentence that has the right form", async () => {
  const { ask } = await openBlog();
  const answers: (readonly [string, number, string | undefined])[] = [];
  for (const [query] of habits) {
    const { status, body, warnings } = await ask(`posts?${query}`);
    expect(warnings).toEqual([]);
    answers.push([query, status, body.hint]);
  }
  const expected = habits.map(([query, hint]) => [
    query,
    400,
    typeof hint === "string" ? hint : expect.stringMatching(hint),
  ]);
  expect(answers).toEqual(expected);
});

test("every form that it names is accepted", async () => {
  const { ask } = await openBlog();
  for (const [query] of habits) {
    const { body } = await ask(`posts?${query}`);
    const [, written] = /^Write ([^ ]+?)(?:,? where.*|\.(?: .*)?)$/.exec(body.hint ?? "") ?? [];
    if (written === undefined || written.includes("<")) continue;
    const again = await ask(`posts?${written}`);
    expect([query, written, again.status]).toEqual([query, written, 200]);
  }
});

test("keeps the key of the path for rows of another table", async () => {
  const { ask } = await openBlog();
  const { body } = await ask("posts/1?_embed=comments");
  expect(body.hint).toBe(`${ofItsOwn}comments?postId=1.`);
});

test("names no other column where the right form is known", async () => {
  const { ask } = await openBlog();
  const { body } = await ask("posts?page=2&viws=1");
  expect(body).toEqual({
    error: 'There is no column "page". There is no column "viws". Did you mean "views"?',
    code: "unknown_column",
    hint: expect.stringMatching(
      /Write limit=10&offset=10\..*Columns: id, |Columns: id, .*Write limit=10&offset=10\./,
    ),
  });
});

test("still names the nearest column, and all, where nothing is known", async () => {
  const { ask } = await openBlog();
  const { body } = await ask("posts?viws=1");
  expect(body.error).toBe('There is no column "viws". Did you mean "views"?');
  expect(body.hint).toBe("Columns: id, title, views, score, active, user_id, made.");
});

test("a column with the name of another tool's parameter is a filter as always", async () => {
  const { ask } = await openBlog();
  const { status, body, warnings } = await ask("books?page=2&q=tea&sort=-views&views_gte=10");
  expect([status, body.result?.length, warnings]).toEqual([200, 1, []]);
});

test("an order that means nothing has no advice", async () => {
  const { ask } = await openBlog();
  expect((await ask("posts?order=my-desc")).body.hint).toBeUndefined();
});

test.each([
  ["DELETE", "posts?id=2", "Use DELETE /rest/posts/2."],
  ["PATCH", "posts?id=eq.2", "Use PATCH /rest/posts/2."],
  ["PUT", "posts?id.eq=a/b", "Use PUT /rest/posts/a%2Fb."],
  ["DELETE", "posts?title=Kettle", "Use DELETE /rest/posts/{id}."],
])("leads %s %s to the path of the row", async (method, target, hint) => {
  const { ask } = await openBlog();
  const { status, body } = await ask(target, { method });
  expect([status, body.hint]).toEqual([400, hint]);
});

test.each([
  ["v1/posts", "Use /rest/posts."],
  ["v1/posts/1", "Use /rest/posts/1."],
  ["posts/1/comments", "Use /rest/comments?postId=1."],
  ["posts/1/comments/2", "Use /rest/comments/2."],
])("leads from /rest/%s to the rows", async (target, hint) => {
  const { ask } = await openBlog();
  const { status, body } = await ask(target);
  expect([status, body.hint]).toEqual([404, hint]);
});
