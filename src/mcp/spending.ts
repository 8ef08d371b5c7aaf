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
	/** Credits, if every answer is a definite one. */
	readonly required: number;
	/** The most credits that the caller allows. */
	readonly maxCredits?: number | undefined;
	readonly dryRun: boolean;
	/** Figures in the answer beside the credits. */
	readonly beside: Readonly<Record<string, number>>;
}

/** Starts what spends credits, or says what it would cost. */
export async function spending(
	api: Api,
	{ required, maxCredits, dryRun, beside }: Spending,
	start: () => Promise<ApiAnswer>,
): Promise<ToolResult> {
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
	if (maxCredits !== undefined && required <= maxCredits) return answered(await start());
	const limit = maxCredits === undefined ? 'no maxCredits allows that' : `maxCredits is ${maxCredits}`;
	return refused({
		message: `It could cost ${inCredits(required)}, and ${limit}: nothing was started`,
		code: maxCredits === undefined ? 'max_credits_missing' : 'max_credits_exceeded',
		requestId: api.requestId,
		creditsRequired: required,
		...beside,
	});
}
