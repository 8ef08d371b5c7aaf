import { env } from 'cloudflare:workers';

/** The tables of people and accounts in which a text stands somewhere. */
export async function rowsWith(text: string): Promise<string[]> {
	const tables = ['accounts', 'users', 'sessions', 'codes', 'throttles', 'jobs', 'audit_log'];
	const found = await Promise.all(
		tables.map(async (table) => {
			const { results } = await env.DB.prepare(`SELECT * FROM ${table}`).all();
			return JSON.stringify(results).toLowerCase().includes(text.toLowerCase()) ? [table] : [];
		}),
	);
	return found.flat();
}
