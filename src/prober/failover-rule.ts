import { z } from 'zod';
import { isOperator } from '../core/mail-operators/operators.ts';
import type { Failover, FailoverRule } from './way-out.ts';

const RULE = /^(?:([a-z0-9_]+)=)?(wait|move)$/;

/** `wait` or `move`, and what differs by operator: `wait,gmx=move`. */
export const failoverRule = z.string().transform((text, context): FailoverRule => {
	let otherwise: Failover = 'wait';
	const of: FailoverRule['of'] = {};
	for (const rule of text.split(',')) {
		const [, operator, failover] = RULE.exec(rule.trim()) ?? [];
		if ((failover !== 'wait' && failover !== 'move') || (operator !== undefined && !isOperator(operator))) {
			const message = `has no rule "${rule.trim()}": wait, move or OPERATOR=wait|move`;
			context.addIssue({ code: 'custom', message });
			return z.NEVER;
		}
		if (operator === undefined) otherwise = failover;
		else Object.assign(of, { [operator]: failover });
	}
	return { otherwise, of };
});
