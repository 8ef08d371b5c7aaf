import { timingSafeEqual } from 'node:crypto';

const encoder = new TextEncoder();

/** Compares two texts in a time that does not reveal where they differ (only whether their lengths do). */
export function equalInConstantTime(a: string, b: string): boolean {
	const [left, right] = [encoder.encode(a), encoder.encode(b)];
	return left.length === right.length && timingSafeEqual(left, right);
}
