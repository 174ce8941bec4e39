/** The fetching thread with look-ups as a test has scripted them. */
import { getEnvironmentData, parentPort, workerData } from 'node:worker_threads'
import { type ScriptedNames, scriptedLookup } from './scripted-lookup.test-kit.ts'
import { serveSender } from './serve-sender.ts'

const names = getEnvironmentData('scripted names') as Map<string, ScriptedNames>
serveSender(parentPort!, workerData, { lookup: scriptedLookup(names) })
