ALTER TABLE `jobs` DROP COLUMN `name`;--> statement-breakpoint
ALTER TABLE `jobs` DROP COLUMN `accepted`;--> statement-breakpoint
ALTER TABLE `jobs` DROP COLUMN `completed_at`;