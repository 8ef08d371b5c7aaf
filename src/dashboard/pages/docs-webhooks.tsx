import { ATTEMPTS_MAX, RETRY_DELAYS_MS } from '../../core/webhooks/delivery.ts';
import { WEBHOOKS_MAX } from '../../operations/webhooks/port.ts';
import { list, span } from '../format.ts';
import { CodeBlock } from '../parts/code.tsx';
import { Table } from '../parts/table.tsx';
import { WEBHOOK_SAMPLE } from '../webhook-sample.ts';

const EVENTS = [
	['job.completed', 'A list is done', 'The job, as GET /v1/jobs/:jobId gives it'],
	['job.failed', 'A list could not be done', 'The job'],
	['catchall.completed', 'A catch-all task is done', 'The task, as GET /v1/catchall/:taskId gives it'],
	['catchall.failed', 'A catch-all task could not be done', 'The task'],
	['credits.low', 'The balance fell below your threshold', 'The balance, and creditsLowBelow'],
] as const;

/** How events are received and proved. */
export function Webhooks() {
	return (
		<div class="stack">
			<p>
				Be told instead of asking: add a URL of yours under <a href="/dashboard/webhooks">Webhooks</a> or with{' '}
				<code>POST /v1/webhooks</code>, up to {WEBHOOKS_MAX} for an account. We send{' '}
				<code>{'{ "type": …, "timestamp": …, "data": … }'}</code> by POST:
			</p>
			<Table
				caption="Events"
				rows={EVENTS}
				empty={null}
				columns={[
					{ head: 'Type', names: true, width: 152, cell: ([type]) => <code>{type}</code> },
					{ head: 'When', width: 144, cell: ([, when]) => when },
					{ head: 'data', width: 160, cell: ([, , data]) => data },
				]}
			/>
			<p>
				Each is signed by the{' '}
				<a href="https://www.standardwebhooks.com" rel="noreferrer">
					Standard Webhooks
				</a>{' '}
				scheme, in <code>webhook-id</code>, <code>webhook-timestamp</code> and <code>webhook-signature</code>.
				Libraries of many languages check it with the secret that you saw when you added the URL:
			</p>
			<CodeBlock id="webhook-sample" code={WEBHOOK_SAMPLE} what="A receiver in Node" />
			<p>
				Any 2xx within ten seconds is a delivery. After anything else, and a redirect too, the event is sent
				again after {list(RETRY_DELAYS_MS.map(span))}: {ATTEMPTS_MAX} times in all, with the same{' '}
				<code>webhook-id</code> and the same body. It may come twice, and events may come in another order:
				remember the ids. 410 disables the webhook, and so do five days in which nothing arrived; you get a
				mail then. The list of deliveries says what was answered, and sends any of them again.
			</p>
			<p>
				A webhook is for https on port 443 or 8443, at a host name with public addresses only. After a
				rotation of the secret both sign for 24 hours.
			</p>
		</div>
	);
}
