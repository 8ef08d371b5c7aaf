import { ScoreCounter, decodeScores } from '../../core/jobs/score-counter.ts';
import type { ScoreCounts } from '../../core/jobs/score-counter.ts';
import { requireResults, resultsExpired } from '../jobs/steps/stored-results.ts';
import type { ReadResultsRequest, ReadResultsServices } from '../jobs/steps/stored-results.ts';

/** How often each score occurs in a completed task. */
export async function readScores(
	services: ReadResultsServices,
	request: Pick<ReadResultsRequest, 'job'>,
): Promise<ScoreCounts> {
	const { job: task } = request;
	requireResults(task, services.clock.now());
	const text = await services.jobBlobs.readSummary(task.jobId, 'scores');
	// A task without addresses has no stored scores.
	if (text === null && task.accepted > 0) throw resultsExpired(task);
	return text === null ? new ScoreCounter().counts : decodeScores(text);
}
