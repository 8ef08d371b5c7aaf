import { WEBHOOK_EVENTS } from '../../src/core/webhooks/events.ts';
import { dueAfterDeath } from '../../src/core/webhooks/delivery.ts';
import type { DeliveryReply } from '../../src/core/webhooks/delivery.ts';
import type { Account } from '../../src/durable-objects/account/account.ts';
import { HOUR_MS } from '../../src/lib/time.ts';
import type { OpenJobRequest } from '../../src/operations/jobs/port.ts';
import type {
	DeliveryView,
	DisabledWebhook,
	LowBalance,
	OutgoingDelivery,
} from '../../src/operations/webhooks/port.ts';
import { jobOf, openAccount, settlementOf, tallyOf } from './account-jobs.ts';
import { eventually } from './patience.ts';

function isUnderWay({ dueAt, lastAt, attempts }: DeliveryView, now: number): boolean {
	if (dueAt === null) return false;
	return dueAt <= now || (lastAt === now && dueAt === dueAfterDeath(attempts, now));
}

const answering = (code: number): DeliveryReply => ({ kind: 'answered', code });
export const OK = answering(200);
export const BROKEN = answering(500);
export const GONE = answering(410);

/** An account with endpoints that answer as told, and what they heard. */
export async function openWithWebhooks(credits: number, endpoints = 1) {
	const heard: OutgoingDelivery[] = [];
	const told: DisabledWebhook[] = [];
	const toldLow: LowBalance[] = [];
	const done: Parameters<Account['outside']['tellDone']>[0][] = [];
	const world: {
		answer: (delivery: OutgoingDelivery) => Promise<DeliveryReply>;
		mailFails: boolean;
		/** Happens while a mail is on its way. */
		meanwhile: (object: Account) => Promise<void>;
	} = {
		answer: () => Promise.resolve(OK),
		mailFails: false,
		meanwhile: () => Promise.resolve(),
	};
	const mail = async <T>(object: Account, mails: T[], about: T): Promise<void> => {
		if (world.mailFails) throw new Error('no mail');
		mails.push(about);
		await world.meanwhile(object);
	};
	const account = await openAccount(credits, Date.now() + HOUR_MS, null, (object) => ({
		deliver: (delivery) => {
			heard.push(delivery);
			return world.answer(delivery);
		},
		tellDone: (about) => mail(object, done, about),
		tellDisabled: (about) => mail(object, told, about),
		tellCreditsLow: (about) => mail(object, toldLow, about),
	}));
	const { stub, start } = account;
	const ids = Array.from({ length: endpoints }, (_, n) => `whk_${n}`);
	for (const webhookId of ids) {
		await stub.addWebhook({
			webhookId,
			url: `https://${webhookId.replace('_', '-')}.example/`,
			events: WEBHOOK_EVENTS,
			secret: 'sealed',
			now: start,
		});
	}
	const deliveries = async (webhookId = 'whk_0') => {
		const listed = await stub.listDeliveries({ webhookId, page: 1, limit: 5_000 });
		return typeof listed === 'string' ? [] : listed.deliveries;
	};
	const webhook = async (webhookId = 'whk_0') =>
		(await stub.listWebhooks()).webhooks.find((each) => each.webhookId === webhookId);
	/** Waits until so many attempts were made in all, and what came of them is recorded. */
	const settled = async (now: number, attempts: number): Promise<void> => {
		await eventually(async () => {
			if (heard.length !== attempts) throw new Error(`${heard.length} attempts of ${attempts}`);
			const all = (await Promise.all(ids.map((id) => deliveries(id)))).flat();
			if (all.some((delivery) => isUnderWay(delivery, now))) throw new Error('an attempt is under way');
		}, 5);
	};
	/** Rings the alarm, and waits as above. */
	const ringUntil = async (now: number, attempts: number): Promise<void> => {
		await account.ring(now);
		await settled(now, attempts);
	};
	return {
		...account,
		heard,
		told,
		toldLow,
		done,
		answers: world,
		deliveries,
		webhook,
		settled,
		ringUntil,
	};
}

export type World = Awaited<ReturnType<typeof openWithWebhooks>>;

/** Brings a job of one address to its end. */
export async function complete(
	{ stub, start }: World,
	jobId = 'job_1',
	now = start,
	more: Partial<OpenJobRequest> = {},
): Promise<void> {
	await stub.openJob(jobOf(start, [1], { jobId, ...more }));
	await stub.settlePart({ ...settlementOf(0, 1, tallyOf({ deliverable: 1 }), start), jobId });
	await stub.completeJob({ jobId, now });
}

/** The events that the endpoints got, parsed. */
export const bodiesOf = ({ heard }: World) =>
	heard.map(
		({ body }) => JSON.parse(body) as { type: string; timestamp: string; data: { [name: string]: unknown } },
	);
