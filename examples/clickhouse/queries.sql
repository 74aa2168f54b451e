-- How many events, and of how many sessions, did each host have in the last day?
SELECT host, count() AS events, uniq(session) AS sessions, max(at) AS last
FROM gantry.events
WHERE stream = 'HOOK_EVENTS' AND at > now() - INTERVAL 1 DAY
GROUP BY host ORDER BY events DESC;

-- Which tools are used most, and how often do they fail?
SELECT tool, count() AS calls, countIf(is_failure) AS failed, round(100 * failed / calls, 1) AS percent
FROM gantry.events
WHERE stream = 'HOOK_EVENTS' AND type IN ('PostToolUse', 'PostToolUseFailure') AND at > now() - INTERVAL 7 DAY
GROUP BY tool ORDER BY calls DESC LIMIT 20;

-- What was denied, where, and how often?
SELECT host, tool, decision, count() AS times, any(JSONExtractString(payload, 'reason')) AS reason
FROM gantry.events
WHERE stream = 'DECISION_EVENTS' AND decision IN ('deny', 'ask') AND at > now() - INTERVAL 7 DAY
GROUP BY host, tool, decision ORDER BY times DESC LIMIT 50;

-- How long do turns take, from a prompt to the end of the turn?
SELECT host, quantiles(0.5, 0.95)(seconds) AS turn_s, count() AS turns
FROM
(
    SELECT host, session, type, at,
           dateDiff('millisecond', any(at) OVER w, at) / 1000 AS seconds,
           any(type) OVER w AS before
    FROM gantry.events
    WHERE stream = 'HOOK_EVENTS' AND type IN ('UserPromptSubmit', 'Stop') AND at > now() - INTERVAL 7 DAY
    WINDOW w AS (PARTITION BY host, session ORDER BY at, seq ROWS BETWEEN 1 PRECEDING AND 1 PRECEDING)
)
WHERE type = 'Stop' AND before = 'UserPromptSubmit'
GROUP BY host;

-- When do people wait? Permission requests by hour of the day.
SELECT toHour(at) AS hour, count() AS requests, uniq(session) AS sessions
FROM gantry.events
WHERE stream = 'HOOK_EVENTS' AND type = 'PermissionRequest' AND at > now() - INTERVAL 30 DAY
GROUP BY hour ORDER BY hour;

-- Which files are changed from several hosts?
SELECT file, uniq(host) AS hosts, groupUniqArray(host) AS which, count() AS writes
FROM gantry.events
WHERE stream = 'HOOK_EVENTS' AND type = 'PostToolUse' AND tool IN ('Write', 'Edit') AND file != '' AND at > now() - INTERVAL 1 DAY
GROUP BY file HAVING hosts > 1 ORDER BY writes DESC LIMIT 50;

-- One field that has no column: read it from the payload.
SELECT JSONExtractString(payload, 'permission_mode') AS mode, count() AS prompts
FROM gantry.events
WHERE stream = 'HOOK_EVENTS' AND type = 'UserPromptSubmit' AND at > now() - INTERVAL 7 DAY
GROUP BY mode ORDER BY prompts DESC;
