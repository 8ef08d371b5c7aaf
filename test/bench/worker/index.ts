import { DurableObject } from 'cloudflare:workers';
import { Hono } from 'hono';

// What a Worker on this runtime can do at best: a route that does nothing, and one that writes one row in one object.

interface Bindings {
	readonly COUNTER: DurableObjectNamespace<Counter>;
}

export class Counter extends DurableObject {
	readonly #sql: SqlStorage;

	constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
		super(ctx, env);
		this.#sql = ctx.storage.sql;
		this.#sql.exec('CREATE TABLE IF NOT EXISTS counter (id INTEGER PRIMARY KEY, count INTEGER NOT NULL)');
		this.#sql.exec('INSERT OR IGNORE INTO counter VALUES (1, 0)');
	}

	/** One row written, as the window of a request is. */
	async increment(): Promise<number> {
		const { count } = this.#sql
			.exec<{ count: number }>('UPDATE counter SET count = count + 1 WHERE id = 1 RETURNING count')
			.one();
		return count;
	}
}

const app = new Hono<{ Bindings: Bindings }>();
app.get('/bare', (c) => c.json({ success: true, data: { count: 0 } }));
app.get('/write', async (c) => {
	const count = await c.env.COUNTER.getByName('one').increment();
	return c.json({ success: true, data: { count } });
});

export default app;
