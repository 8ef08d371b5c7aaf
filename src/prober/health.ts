import { HEALTH_PATH } from '../wire/prober-state.ts';

const PATIENCE_MS = 3_000;
// To listen everywhere is no address to call.
const EVERYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Whether the prober of this machine takes questions: for a container's health check. */
export async function isWell(listens: { readonly host: string; readonly port: number }): Promise<boolean> {
	const host = EVERYWHERE[listens.host] ?? listens.host;
	const url = `http://${host.includes(':') ? `[${host}]` : host}:${listens.port}${HEALTH_PATH}`;
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'manual' });
		await response.body?.cancel();
		return response.ok;
	} catch {
		return false;
	}
}
