/**
 * Sessions as OpenTelemetry traces: a process of its own reads the journal and sends them to an OTLP collector, while one is
 * configured. The daemon has `service.ts`; the process is `worker.ts`.
 */
