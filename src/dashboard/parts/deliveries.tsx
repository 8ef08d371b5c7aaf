import { ATTEMPTS_MAX, DELIVERY_FAULTS } from '../../core/webhooks/delivery.ts';
import type { DeliveryView } from '../../operations/webhooks/port.ts';
import type { View } from '../view.ts';
import { Tag } from './badge.tsx';
import { Time } from './figures.tsx';
import { Cut } from './table.tsx';

export const STATUS_WORDS = { waiting: 'Waiting', delivered: 'Delivered', failed: 'Failed' } as const;
const STATUS_TONES = { waiting: 'accent', delivered: 'deliverable', failed: 'undeliverable' } as const;

/** The columns of the table of what was and will be sent to a webhook. */
export function deliveryColumnsOf({ now }: View) {
	return [
		{
			head: 'Event',
			names: true,
			phone: true,
			width: 120,
			cell: ({ kind }: DeliveryView) => <Cut text={kind} mono />,
		},
		{
			head: 'Status',
			phone: true,
			width: 88,
			cell: ({ status }: DeliveryView) => <Tag tone={STATUS_TONES[status]}>{STATUS_WORDS[status]}</Tag>,
		},
		{ head: 'Last answer', width: 184, cell: (delivery: DeliveryView) => answerOf(delivery) },
		{
			head: 'Attempts',
			align: 'right' as const,
			width: 76,
			cell: ({ attempts }: DeliveryView) => `${attempts} of ${ATTEMPTS_MAX}`,
		},
		{ head: 'When', width: 96, cell: ({ at }: DeliveryView) => <Time at={at} now={now} /> },
	];
}

/** The last answer, or why there was none. */
export const answerOf = ({ lastCode, fault }: DeliveryView): string =>
	fault === null ? String(lastCode ?? 'None yet') : DELIVERY_FAULTS[fault];
