/** A database as the tools of a web framework declare it. Rows come from random writes. */
export interface FrameworkSchema {
  readonly name: string;
  readonly sql: string;
}

const rails: readonly (readonly [string, string])[] = [
  [
    "blog",
    `CREATE TABLE "users" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "email" varchar NOT NULL, "admin" boolean DEFAULT 0 NOT NULL, "name" varchar);
     CREATE UNIQUE INDEX "index_users_on_email" ON "users" ("email");
     CREATE TABLE "posts" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "title" varchar(255), "body" text, "user_id" integer NOT NULL, "views" integer DEFAULT 0,
       CONSTRAINT "fk_rails_5b5ddfd518" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE);
     CREATE INDEX "index_posts_on_user_id" ON "posts" ("user_id");
     CREATE TABLE "comments" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "post_id" integer, "user_id" integer, "text" text,
       CONSTRAINT "fk_1" FOREIGN KEY ("post_id") REFERENCES "posts" ("id") ON DELETE CASCADE, CONSTRAINT "fk_2" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE SET NULL);`,
  ],
  [
    "store",
    `CREATE TABLE "products" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "sku" varchar, "price" decimal(8,2) DEFAULT '0.0', "live" boolean DEFAULT 'f', "meta" json DEFAULT '{}',
       CONSTRAINT price_check CHECK (price >= 0));
     CREATE UNIQUE INDEX "index_products_on_sku" ON "products" ("sku");
     CREATE TABLE "line_items" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "product_id" integer NOT NULL, "quantity" integer DEFAULT 1 NOT NULL CHECK (quantity BETWEEN 1 AND 99),
       FOREIGN KEY ("product_id") REFERENCES "products" ("id"));`,
  ],
  [
    "tree",
    `CREATE TABLE "categories" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "parent_id" integer, "name" varchar COLLATE NOCASE, "depth" integer,
       CONSTRAINT "fk_parent" FOREIGN KEY ("parent_id") REFERENCES "categories" ("id") ON DELETE CASCADE);
     CREATE TABLE "links" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "from_id" integer REFERENCES "categories" ("id") ON DELETE SET NULL, "to_id" integer REFERENCES "categories" ("id") ON DELETE RESTRICT);`,
  ],
  [
    "uuid",
    `CREATE TABLE "accounts" ("id" varchar NOT NULL PRIMARY KEY, "balance" float DEFAULT 0.0, "kind" varchar DEFAULT 'basic' NOT NULL);
     CREATE TABLE "transfers" ("id" varchar NOT NULL PRIMARY KEY, "account_id" varchar REFERENCES "accounts" ("id") ON UPDATE CASCADE ON DELETE CASCADE, "amount" numeric CHECK (amount <> 0));`,
  ],
];

const django: readonly (readonly [string, string])[] = [
  [
    "polls",
    `CREATE TABLE "polls_question" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "question_text" varchar(200) NOT NULL, "votes" integer unsigned NOT NULL CHECK ("votes" >= 0));
     CREATE TABLE "polls_choice" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "choice_text" varchar(200) NOT NULL, "votes" smallint NOT NULL,
       "question_id" bigint NOT NULL REFERENCES "polls_question" ("id") DEFERRABLE INITIALLY DEFERRED);
     CREATE INDEX "polls_choice_question_id" ON "polls_choice" ("question_id");`,
  ],
  [
    "json",
    `CREATE TABLE "app_doc" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "data" text NULL CHECK ((JSON_VALID("data") OR "data" IS NULL)), "slug" varchar(50) NOT NULL UNIQUE, "active" bool NOT NULL);
     CREATE TABLE "app_tag" ("name" varchar(20) NOT NULL PRIMARY KEY, "weight" real NULL);
     CREATE TABLE "app_doc_tags" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "doc_id" bigint NOT NULL REFERENCES "app_doc" ("id") DEFERRABLE INITIALLY DEFERRED, "tag_id" varchar(20) NOT NULL REFERENCES "app_tag" ("name") DEFERRABLE INITIALLY DEFERRED);
     CREATE UNIQUE INDEX "app_doc_tags_uniq" ON "app_doc_tags" ("doc_id", "tag_id");`,
  ],
  [
    "constraints",
    `CREATE TABLE "hr_event" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "start" integer NOT NULL, "end" integer NULL, "kind" varchar(9) NOT NULL,
       CONSTRAINT "end_after_start" CHECK (("end" IS NULL OR "end" > "start")), CONSTRAINT "kind_valid" CHECK ("kind" IN ('a', 'b', 'talk')), CONSTRAINT "not_both" CHECK (NOT ("start" = 5 AND "kind" = 'a')));`,
  ],
  [
    "profile",
    `CREATE TABLE "auth_user" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "username" varchar(150) NOT NULL UNIQUE, "is_staff" bool NOT NULL);
     CREATE TABLE "site_profile" ("user_id" integer NOT NULL PRIMARY KEY REFERENCES "auth_user" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED, "bio" text NOT NULL, "age" integer unsigned NULL CHECK ("age" >= 0));`,
  ],
];

const laravel: readonly (readonly [string, string])[] = [
  [
    "users",
    `CREATE TABLE "users" ("id" integer primary key autoincrement not null, "name" varchar not null, "email" varchar not null, "is_active" tinyint(1) not null default '1');
     CREATE UNIQUE INDEX "users_email_unique" on "users" ("email");
     CREATE TABLE "orders" ("id" integer primary key autoincrement not null, "user_id" integer not null, "status" varchar check ("status" in ('pending', 'paid', 'a')) not null default 'pending', "total" numeric not null default '0',
       foreign key("user_id") references "users"("id") on delete cascade on update cascade);`,
  ],
  [
    "pivot",
    `CREATE TABLE "roles" ("id" integer primary key autoincrement not null, "name" varchar not null);
     CREATE TABLE "people" ("id" integer primary key autoincrement not null, "nick" varchar);
     CREATE TABLE "role_user" ("role_id" integer not null, "person_id" integer not null, "note" text, foreign key("role_id") references "roles"("id") on delete cascade, foreign key("person_id") references "people"("id") on delete restrict, primary key ("role_id", "person_id"));`,
  ],
  [
    "sessions",
    `CREATE TABLE "sessions" ("id" varchar not null, "user_id" integer, "payload" text not null, "last_activity" integer not null, primary key ("id"));
     CREATE INDEX "sessions_user_id_index" on "sessions" ("user_id"); CREATE INDEX "sessions_last_activity_index" on "sessions" ("last_activity");
     CREATE TABLE "cache" ("key" varchar not null, "value" text not null, "expiration" integer not null, primary key ("key"));`,
  ],
];

const prisma: readonly (readonly [string, string])[] = [
  [
    "blog",
    `CREATE TABLE "User" ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "email" TEXT NOT NULL, "name" TEXT);
     CREATE UNIQUE INDEX "User_email_key" ON "User"("email");
     CREATE TABLE "Post" ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "title" TEXT NOT NULL, "published" BOOLEAN NOT NULL DEFAULT false, "authorId" INTEGER,
       CONSTRAINT "Post_authorId_fkey" FOREIGN KEY ("authorId") REFERENCES "User" ("id") ON DELETE SET NULL ON UPDATE CASCADE);`,
  ],
  [
    "required",
    `CREATE TABLE "Team" ("id" TEXT NOT NULL PRIMARY KEY, "slug" TEXT NOT NULL, "seats" INTEGER NOT NULL DEFAULT 3);
     CREATE UNIQUE INDEX "Team_slug_key" ON "Team"("slug");
     CREATE TABLE "Member" ("teamId" TEXT NOT NULL, "no" INTEGER NOT NULL, "bossNo" INTEGER, PRIMARY KEY ("teamId", "no"), CONSTRAINT "Member_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
       CONSTRAINT "Member_boss_fkey" FOREIGN KEY ("teamId", "bossNo") REFERENCES "Member" ("teamId", "no") ON DELETE NO ACTION ON UPDATE CASCADE);`,
  ],
  [
    "implicit",
    `CREATE TABLE "Category" ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "label" TEXT);
     CREATE TABLE "Item" ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "price" DECIMAL NOT NULL DEFAULT 1, "big" BIGINT);
     CREATE TABLE "_CategoryToItem" ("A" INTEGER NOT NULL, "B" INTEGER NOT NULL, CONSTRAINT "a" FOREIGN KEY ("A") REFERENCES "Category" ("id") ON DELETE CASCADE ON UPDATE CASCADE, CONSTRAINT "b" FOREIGN KEY ("B") REFERENCES "Item" ("id") ON DELETE CASCADE ON UPDATE CASCADE);
     CREATE UNIQUE INDEX "_CategoryToItem_AB_unique" ON "_CategoryToItem"("A", "B"); CREATE INDEX "_CategoryToItem_B_index" ON "_CategoryToItem"("B");`,
  ],
];

const symfony: readonly (readonly [string, string])[] = [
  [
    "shop",
    `CREATE TABLE customer (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, email VARCHAR(180) NOT NULL, roles CLOB NOT NULL DEFAULT '[]', score DOUBLE PRECISION DEFAULT NULL);
     CREATE UNIQUE INDEX UNIQ_81398E09E7927C74 ON customer (email);
     CREATE TABLE invoice (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, customer_id INTEGER DEFAULT NULL, number VARCHAR(20) NOT NULL, CONSTRAINT FK_90651744 FOREIGN KEY (customer_id) REFERENCES customer (id) ON DELETE SET NULL NOT DEFERRABLE INITIALLY IMMEDIATE);
     CREATE INDEX IDX_906517449395C3F3 ON invoice (customer_id);`,
  ],
  [
    "one to one",
    `CREATE TABLE address (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, city VARCHAR(255) NOT NULL);
     CREATE TABLE company (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, address_id INTEGER NOT NULL, name VARCHAR(255) COLLATE BINARY, CONSTRAINT FK_4FBF094F FOREIGN KEY (address_id) REFERENCES address (id) ON DELETE CASCADE);
     CREATE UNIQUE INDEX UNIQ_4FBF094FF5B7AF75 ON company (address_id);`,
  ],
  [
    "messages",
    `CREATE TABLE messenger_messages (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, body CLOB NOT NULL, queue_name VARCHAR(190) NOT NULL, available_at DATETIME NOT NULL DEFAULT '2024', delivered_at DATETIME DEFAULT NULL);
     CREATE INDEX IDX_75EA56E0FB7336F0 ON messenger_messages (queue_name);`,
  ],
];

const drizzle: readonly (readonly [string, string])[] = [
  [
    "checks",
    `CREATE TABLE \`users\` (\`id\` integer PRIMARY KEY AUTOINCREMENT NOT NULL, \`name\` text NOT NULL, \`age\` integer, \`mail\` text, CONSTRAINT "age_check" CHECK("users"."age" > 1), CONSTRAINT "mail_check" CHECK(mail IS NULL OR mail LIKE '%a%' AND length(trim(mail)) > 1));
     CREATE UNIQUE INDEX \`users_mail_unique\` ON \`users\` (\`mail\`);
     CREATE TABLE \`posts\` (\`id\` integer PRIMARY KEY NOT NULL, \`author\` integer DEFAULT 1, \`state\` text DEFAULT 'a' NOT NULL, FOREIGN KEY (\`author\`) REFERENCES \`users\`(\`id\`) ON UPDATE no action ON DELETE set default);`,
  ],
  [
    "kept",
    `CREATE TABLE \`lists\` (\`name\` text PRIMARY KEY NOT NULL, \`rank\` real DEFAULT 1.5) WITHOUT ROWID;
     CREATE TABLE \`todos\` (\`id\` integer PRIMARY KEY NOT NULL, \`list\` text REFERENCES \`lists\`(\`name\`) ON UPDATE cascade ON DELETE cascade, \`done\` integer DEFAULT false NOT NULL CHECK (done IN (0, 1)), \`before\` integer REFERENCES \`todos\`(\`id\`) ON UPDATE cascade ON DELETE set null);`,
  ],
];

const frameworks = { rails, django, laravel, prisma, symfony, drizzle };

/** 19 of today's schemas, and one as Rails 4 wrote it. */
export const frameworkSchemas: readonly FrameworkSchema[] = [
  ...Object.entries(frameworks).flatMap(([framework, schemas]) =>
    schemas.map(([name, sql]) => ({ name: `${framework}: ${name}`, sql })),
  ),
  {
    name: "rails 4: letters for booleans",
    sql: `CREATE TABLE "tasks" ("id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, "done" boolean DEFAULT 'f', "title" varchar(255) DEFAULT '', "position" integer);
      CREATE INDEX "index_tasks_on_position" ON "tasks" ("position");`,
  },
];
