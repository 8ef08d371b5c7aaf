import type { Asked, Question } from '../engine/question.ts';
import { answerQuestion } from './answer-question.ts';
import type { AnswerPorts } from './answer-question.ts';
import { CONVERSATION_MS_MIN } from './converse.ts';
import type { Guessers } from './guessers.ts';

/** Answers a question: that of an account that guesses mailboxes of the domain in small pieces, one after the other. */
export async function answerGuesser(
	ports: AnswerPorts,
	guessers: Guessers,
	question: Question,
): Promise<Asked> {
	const { clock } = ports;
	const now = clock.now();
	// A list comes back; who waits for the answer waits as long as there is time.
	const latest = question.class === 'single' ? question.deadline - 2 * CONVERSATION_MS_MIN : now;
	const turn = guessers.turn(question, now, latest);
	const rest = question.targets
		.slice(turn.most)
		.map(() => ({ kind: 'postponed', until: turn.next }) as const);
	if (turn.most === 0 || !('at' in turn)) return { answers: rest, trace: [], tried: [] };
	if (turn.at > now) await clock.sleep(turn.at - now);
	const targets = question.targets.slice(0, turn.most);
	const asked = await answerQuestion(ports, { ...question, targets });
	guessers.learn(question, asked, clock.now());
	return { ...asked, answers: [...asked.answers, ...rest] };
}
