import { OperatorError } from './operator-client.ts';

const PATIENCE_MS = 20_000;

/** Posts a message to a pager's webhook: `text`, which Slack, Mattermost and most pagers show. */
export async function callPager(webhook: string, text: string): Promise<void> {
	const response = await fetch(webhook, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ text }),
		signal: AbortSignal.timeout(PATIENCE_MS),
	}).catch((cause: unknown) => {
		throw new OperatorError('The pager (ALERT_WEBHOOK_URL) cannot be reached', { cause });
	});
	await response.body?.cancel();
	if (!response.ok) throw new OperatorError(`The pager (ALERT_WEBHOOK_URL) answered ${response.status}`);
}
