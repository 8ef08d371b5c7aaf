import { z } from 'zod';
import { inCredits } from '../core/credits/price.ts';
import { answered, refused, told } from './answers.ts';
import type { ToolResult } from './answers.ts';
import type { Api, ApiAnswer } from './api.ts';

/** The answer of a tool that spends to `dryRun`. */
const quote = z.looseObject({
	dryRun: z.literal(true),
	creditsRequired: z.int().describe('The most that it costs, in credits'),
	availableCredits: z.int().describe('What the account has for it, in credits'),
	isEnough: z.boolean(),
});

/** The answer of a tool that spends: the quote, or that of the work. */
export function quoteOr<S extends z.ZodType>(answer: S) {
	return z.union([quote, answer]);
}

interface Spending {
	/** Credits that the work can't exceed, known without looking into it. */
	readonly atMost: number;
	/** The credits if every answer is a definite one, and figures beside them. */
	readonly count: () => { readonly required: number; readonly beside: Readonly<Record<string, number>> };
	/** The most credits that the caller allows. */
	readonly maxCredits?: number | undefined;
	readonly dryRun: boolean;
}

/** Starts what spends credits, or says what it would cost. */
export async function spending(
	api: Api,
	{ atMost, count, maxCredits, dryRun }: Spending,
	start: () => Promise<ApiAnswer>,
): Promise<ToolResult> {
	const { requestId } = api;
	if (!dryRun && maxCredits === undefined) {
		const message =
			'maxCredits is missing: nothing was started. With dryRun: true you hear what it could cost';
		return refused({ message, code: 'max_credits_missing', requestId });
	}
	if (!dryRun && atMost <= (maxCredits ?? 0)) return answered(await start());
	const { required, beside } = count();
	if (dryRun) {
		const credits = await api.get('/v1/credits');
		if (credits.error !== null) return answered(credits);
		const available = Number(credits.data['availableCredits']);
		const isEnough = available >= required;
		return told({
			dryRun,
			creditsRequired: required,
			availableCredits: available,
			isEnough,
			...beside,
		});
	}
	if (required <= (maxCredits ?? 0)) return answered(await start());
	return refused({
		message: `It could cost ${inCredits(required)}, and maxCredits is ${maxCredits}: nothing was started`,
		code: 'max_credits_exceeded',
		requestId,
		creditsRequired: required,
		...beside,
	});
}
