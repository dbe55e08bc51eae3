import XCTest

/// The contract of include/milepost.h, promise by promise: each test runs one case of the C program in Contract/, against build/.
final class ContractTests: XCTestCase {
    private nonisolated(unsafe) static var folder: TemporaryFolder?
    private static let program = Result { () throws -> URL in
        let made = try TemporaryFolder()
        let program = made.url.appendingPathComponent("contract")
        try Toolbox.compileContract(into: program)
        folder = made
        return program
    }

    override class func tearDown() { folder = nil }

    private func run(_ name: String, line: UInt = #line) throws {
        let outcome = try Toolbox.run(Self.program.get().path, [name])
        XCTAssertEqual(outcome.status, 0, "\(name): \(outcome.errors)", line: line)
        if !outcome.output.isEmpty { print("\(name): \(outcome.output)", terminator: "") }
    }

    /// A case added in C is not forgotten here.
    func testEveryCaseOfTheProgramHasATest() throws {
        let cases = try Toolbox.run(Self.program.get().path).output.split(separator: "\n").map(String.init)
        let source = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
        XCTAssertGreaterThan(cases.count, 60)
        for name in cases { XCTAssertTrue(source.contains("run(\"\(name)\")"), name) }
    }

    func testVersionIsTheHeaders() throws { try run("version_is_the_headers") }
    func testEveryStatusHasAName() throws { try run("every_status_has_a_name") }
    func testLastErrorIsEachThreadsOwn() throws { try run("last_error_is_each_threads_own") }
    func testALongErrorIsCutBetweenCharacters() throws { try run("a_long_error_is_cut_between_characters") }
    func testNullIsRefusedByRoutesAndTrackers() throws { try run("null_is_refused_by_routes_and_trackers") }
    func testNullIsRefusedByConfigurations() throws { try run("null_is_refused_by_configurations") }
    func testNullIsRefusedByReporters() throws { try run("null_is_refused_by_reporters") }
    func testNullIsNothingToDestroy() throws { try run("null_is_nothing_to_destroy") }
    func testResultsAreUntouchedOnFailure() throws { try run("results_are_untouched_on_failure") }
    func testProgressIsUntouchedWhenAFixIsRefused() throws { try run("progress_is_untouched_when_a_fix_is_refused") }
    func testStructsTakenInMustBeWhole() throws { try run("structs_taken_in_must_be_whole") }
    func testStructsFilledInMayBeShorterOrLonger() throws { try run("structs_filled_in_may_be_shorter_or_longer") }
    func testNumbersOutOfRangeAreNamed() throws { try run("numbers_out_of_range_are_named") }
    func testIdsAreCheckedAsFleetEngineDoes() throws { try run("ids_are_checked_as_fleet_engine_does") }
    func testAnEndpointIsHttpsOrLoopback() throws { try run("an_endpoint_is_https_or_loopback") }
    func testACaFileMustBeReadable() throws { try run("a_ca_file_must_be_readable") }
    func testWhatIsRequiredIsAskedForByName() throws { try run("what_is_required_is_asked_for_by_name") }
    func testTheIntervalIsClampedAndReadBack() throws { try run("the_interval_is_clamped_and_read_back") }
    func testTheHostMayReuseAndFreeWhatItPassedIn() throws { try run("the_host_may_reuse_and_free_what_it_passed_in") }
    func testARouteComesFromArraysMemoryAFileOrAPolyline() throws { try run("a_route_comes_from_arrays_memory_a_file_or_a_polyline") }
    func testABadRouteIsRefusedWithWhatAndWhere() throws { try run("a_bad_route_is_refused_with_what_and_where") }
    func testArraysThatMakeNoRouteAreRefusedByTheFirstBadValue() throws {
        try run("arrays_that_make_no_route_are_refused_by_the_first_bad_value")
    }
    func testProgressHasEveryValueAlongARoute() throws { try run("progress_has_every_value_along_a_route") }
    func testTheLegChangesAtAWaypointAndTheLastIsTheArrival() throws {
        try run("the_leg_changes_at_a_waypoint_and_the_last_is_the_arrival")
    }
    func testEventsSayWhatEachFixChangedAndWhy() throws { try run("events_say_what_each_fix_changed_and_why") }
    func testTheBandHoldsTheRemainingSeconds() throws { try run("the_band_holds_the_remaining_seconds") }
    func testOffTheRouteRemainingValuesAreAbsentUntilItIsRejoined() throws {
        try run("off_the_route_remaining_values_are_absent_until_it_is_rejoined")
    }
    func testWhatARouteDoesNotTellIsAbsent() throws { try run("what_a_route_does_not_tell_is_absent") }
    func testAnAbsentValueIsNotRead() throws { try run("an_absent_value_is_not_read") }
    func testImplausibleAndOldFixesAreRefusedAndChangeNothing() throws {
        try run("implausible_and_old_fixes_are_refused_and_change_nothing")
    }
    func testProgressIsThereBeforeTheFirstFix() throws { try run("progress_is_there_before_the_first_fix") }
    func testASkippedWaypointIsLeftOutAtOnce() throws { try run("a_skipped_waypoint_is_left_out_at_once") }
    func testDwellDelaysTheWaypointsAfterAtOnce() throws { try run("dwell_delays_the_waypoints_after_at_once") }
    func testASpeedGivesTimesToARouteWithout() throws { try run("a_speed_gives_times_to_a_route_without") }
    func testTheRadiusIsForAllAndForEachWaypoint() throws { try run("the_radius_is_for_all_and_for_each_waypoint") }
    func testANewRouteBeginsAnew() throws { try run("a_new_route_begins_anew") }
    func testASavedTrackerGoesOnAfterAPowerCycle() throws { try run("a_saved_tracker_goes_on_after_a_power_cycle") }
    func testSavedBytesThatAreNotRightChangeNothing() throws { try run("saved_bytes_that_are_not_right_change_nothing") }
    func testAGapIsBridgedByEstimatesThatSaySo() throws { try run("a_gap_is_bridged_by_estimates_that_say_so") }
    func testTrackingIsOffAtFirstAndOnlineNeedsIt() throws { try run("tracking_is_off_at_first_and_online_needs_it") }
    func testADeliveryVehicleHasNoState() throws { try run("a_delivery_vehicle_has_no_state") }
    func testImplausiblePushedFixesAreRefused() throws { try run("implausible_pushed_fixes_are_refused") }
    func testAnUpdateTellsTheListenerWhatWasSent() throws { try run("an_update_tells_the_listener_what_was_sent") }
    func testARefusedUpdateTellsCodeStatusMessageAndRetry() throws { try run("a_refused_update_tells_code_status_message_and_retry") }
    func testARefusalTellsGooglesDetailsAndHowLongToWait() throws { try run("a_refusal_tells_googles_details_and_how_long_to_wait") }
    func testARetryAfterDateCountsFromTheServersClock() throws { try run("a_retry_after_date_counts_from_the_servers_clock") }
    func testABadRouteLeavesTheRunningOneInPlace() throws { try run("a_bad_route_leaves_the_running_one_in_place") }
    func testTrackingOffSendsOneLastUpdateWithoutLocation() throws { try run("tracking_off_sends_one_last_update_without_location") }
    func testWithoutARouteThereIsNothingToSkip() throws { try run("without_a_route_there_is_nothing_to_skip") }
    func testWhatAHostChangesOnTheWayIsToldAtOnce() throws { try run("what_a_host_changes_on_the_way_is_told_at_once") }
    func testAConfiguredSpeedAndRadiusCountForItsRoutes() throws { try run("a_configured_speed_and_radius_count_for_its_routes") }
    func testSavedProgressIsRestoredAfterAPowerCycle() throws { try run("saved_progress_is_restored_after_a_power_cycle") }
    func testInAGapItGoesOnByItselfAndSaysSo() throws { try run("in_a_gap_it_goes_on_by_itself_and_says_so") }
    func testItGoesStaleByItself() throws { try run("it_goes_stale_by_itself") }
    func testComeAndGoInsideCallbacks() throws { try run("come_and_go_inside_callbacks") }
    func testAListenerMayHaveNoFunctions() throws { try run("a_listener_may_have_no_functions") }
    func testRemoveWaitsForACallOnAnotherThread() throws { try run("remove_waits_for_a_call_on_another_thread") }
    func testARemovedListenerIsNeverCalledHoweverManyComeAndGo() throws {
        try run("a_removed_listener_is_never_called_however_many_come_and_go")
    }
    func testDispatchStopAndDestroyAreRefusedInsideACallback() throws { try run("dispatch_stop_and_destroy_are_refused_inside_a_callback") }
    func testDispatchReturnsThoughCallbacksCauseMore() throws { try run("dispatch_returns_though_callbacks_cause_more") }
    func testItRunsOnceAtATime() throws { try run("it_runs_once_at_a_time") }
    func testItStartsAgainAfterAStop() throws { try run("it_starts_again_after_a_stop") }
    func testARestartConnectsToGpsdAtOnce() throws { try run("a_restart_connects_to_gpsd_at_once") }
    func testWhatGpsdNamesIsToldInOneLine() throws { try run("what_gpsd_names_is_told_in_one_line") }
    func testAHostDrivesItWithPoll() throws { try run("a_host_drives_it_with_poll") }
    func testAHostDrivesSeveralWithEpoll() throws { try run("a_host_drives_several_with_epoll") }
    func testSeveralRunOnTheirOwnThreads() throws { try run("several_run_on_their_own_threads") }
    func testACallbackMayDestroyAnotherReporter() throws { try run("a_callback_may_destroy_another_reporter") }
    func testTheLogIsOneLineAMessageWithoutTokens() throws { try run("the_log_is_one_line_a_message_without_tokens") }
    func testATokenMayBeGivenInsideTheCallback() throws { try run("a_token_may_be_given_inside_the_callback") }
    func testATokenMayBeGivenLaterFromAnotherThreadButOnlyOnce() throws {
        try run("a_token_may_be_given_later_from_another_thread_but_only_once")
    }
    func testATokenNeverGivenHoldsUpNeitherStopNorDestroy() throws { try run("a_token_never_given_holds_up_neither_stop_nor_destroy") }
    func testATokenAfterDestroyIsHarmless() throws { try run("a_token_after_destroy_is_harmless") }
    func testAFailedTokenIsToldInTheHostsWords() throws { try run("a_failed_token_is_told_in_the_hosts_words") }
    func testATokenThatCannotBeAHeaderIsNeverSent() throws { try run("a_token_that_cannot_be_a_header_is_never_sent") }
    func testAnotherVehicleAsksForAnotherToken() throws { try run("another_vehicle_asks_for_another_token") }
    func testATokenFileIsReadAgainWhenATokenIsNeeded() throws { try run("a_token_file_is_read_again_when_a_token_is_needed") }
    func testATokenServerIsAskedWithPercentEncodedIds() throws { try run("a_token_server_is_asked_with_percent_encoded_ids") }
    func testFixesArePushedFromManyThreads() throws { try run("fixes_are_pushed_from_many_threads") }
    func testEveryCallMayComeFromAnyThread() throws { try run("every_call_may_come_from_any_thread") }
    func testStartsAndStopsMayMeet() throws { try run("starts_and_stops_may_meet") }
    func testOnlyOneThreadAtATimeDispatches() throws { try run("only_one_thread_at_a_time_dispatches") }
    func testStopWaitsNoLongerThanToldForAMuteServer() throws { try run("stop_waits_no_longer_than_told_for_a_mute_server") }
    func testNothingIsBegunAfterTheTimeOfAStop() throws { try run("nothing_is_begun_after_the_time_of_a_stop") }
    func testStopWaitsNoLongerThanToldForAnUnansweredSyn() throws { try run("stop_waits_no_longer_than_told_for_an_unanswered_syn") }
    func testStopKeepsItsTimeThoughACallbackBlocksAndNoneComesAfter() throws {
        try run("stop_keeps_its_time_though_a_callback_blocks_and_none_comes_after")
    }
    func testItStartsAgainOnceABlockedCallbackHasReturned() throws { try run("it_starts_again_once_a_blocked_callback_has_returned") }
    func testDestroyWhileGpsdsNameIsLookedUpLeavesNothingBehind() throws {
        try run("destroy_while_gpsds_name_is_looked_up_leaves_nothing_behind")
    }
    func testEveryDescriptorIsClosedOnExec() throws { try run("every_descriptor_is_closed_on_exec") }
    func testItWorksBeyond1024Descriptors() throws { try run("it_works_beyond_1024_descriptors") }
    func testWithoutDescriptorsCreateSaysSo() throws { try run("without_descriptors_create_says_so") }
    func testNoSigpipeComesWhenTheServerDies() throws { try run("no_sigpipe_comes_when_the_server_dies") }
    func testNoSigpipeComesWhenGpsdDies() throws { try run("no_sigpipe_comes_when_gpsd_dies") }
    func testHttpsReportsToAServerThatTheCaFileVouchesFor() throws { try run("https_reports_to_a_server_that_the_ca_file_vouches_for") }
    func testHttpsSendsNothingToAServerThatNobodyVouchesFor() throws { try run("https_sends_nothing_to_a_server_that_nobody_vouches_for") }
    func testNoSigpipeComesWhenATlsServerDies() throws { try run("no_sigpipe_comes_when_a_tls_server_dies") }
    func testARedirectIsNotFollowedWithATokenOrForOne() throws { try run("a_redirect_is_not_followed_with_a_token_or_for_one") }
    func testAnAnswerWithTooLongAHeadIsRefused() throws { try run("an_answer_with_too_long_a_head_is_refused") }
    func testAnAnswerWithTooLongABodyIsRefused() throws { try run("an_answer_with_too_long_a_body_is_refused") }
    func testAnAnswerThatDripsEndsWithTheRequestsTime() throws { try run("an_answer_that_drips_ends_with_the_requests_time") }
    func testPlainHTTPIsForLoopbackUnlessTheHostSaysOtherwise() throws {
        try run("plain_http_is_for_loopback_unless_the_host_says_otherwise")
    }
    func testAClientCertificateMustBeReadable() throws { try run("a_client_certificate_must_be_readable") }
    func testWhatSavesDataIsOffUnlessAskedFor() throws { try run("what_saves_data_is_off_unless_asked_for") }
    func testNullIsRefusedByStops() throws { try run("null_is_refused_by_stops") }
    func testAnOnDemandVehicleHasNoStops() throws { try run("an_on_demand_vehicle_has_no_stops") }
    func testStopsThatCannotBeAreRefusedByName() throws { try run("stops_that_cannot_be_are_refused_by_name") }
    func testALaterHeadersStopsAreRead() throws { try run("a_later_headers_stops_are_read") }
    func testStopsAreCopiedAndReadBack() throws { try run("stops_are_copied_and_read_back") }
    func testStopsGoInOrderAndNothingElseDoes() throws { try run("stops_go_in_order_and_nothing_else_does") }
    func testEachChangeOfStopsIsSentAndTold() throws { try run("each_change_of_stops_is_sent_and_told") }
    func testATripTellsWhatAConsumerMayKnow() throws { try run("a_trip_tells_what_a_consumer_may_know") }
    func testATripIsWatchedOnAThreadAndAnotherInItsPlace() throws { try run("a_trip_is_watched_on_a_thread_and_another_in_its_place") }
    func testAFailedPollIsTold() throws { try run("a_failed_poll_is_told") }
    func testATripsTokenIsForTheTripAlone() throws { try run("a_trips_token_is_for_the_trip_alone") }
    func testATripsArgumentsAreChecked() throws { try run("a_trips_arguments_are_checked") }
    func testGuidanceThatCannotBeIsRefusedByName() throws { try run("guidance_that_cannot_be_is_refused_by_name") }
    func testGuidanceOfTheHostsIsSentUntilItIsWithdrawn() throws { try run("guidance_of_the_hosts_is_sent_until_it_is_withdrawn") }
    func testTheStateDirectoryAndLimitsAreChecked() throws { try run("the_state_directory_and_limits_are_checked") }
    func testWithoutAStateDirectoryNothingIsRemembered() throws { try run("without_a_state_directory_nothing_is_remembered") }
    func testWhatWasSetGoesOnAfterAPowerCycle() throws { try run("what_was_set_goes_on_after_a_power_cycle") }
    func testAnotherRouteAfterAPowerCycleBeginsAnew() throws { try run("another_route_after_a_power_cycle_begins_anew") }
    func testWhatAnotherVehicleLeftIsForgotten() throws { try run("what_another_vehicle_left_is_forgotten") }
    func testAnOfflineThatWasNotConfirmedIsSentAfterTheRestart() throws {
        try run("an_offline_that_was_not_confirmed_is_sent_after_the_restart")
    }
    func testWhatCouldNotBeToldGoesOutAfterTheRestart() throws { try run("what_could_not_be_told_goes_out_after_the_restart") }
    func testADamagedStoreIsSetAsideAndTold() throws { try run("a_damaged_store_is_set_aside_and_told") }
    func testADirectoryThatCannotBeUsedIsToldAndReportingGoesOn() throws {
        try run("a_directory_that_cannot_be_used_is_told_and_reporting_goes_on")
    }
    func testStatisticsCountWhatHasHappened() throws { try run("statistics_count_what_has_happened") }
    func testADiagnosisNamesTheFirstBrokenLink() throws { try run("a_diagnosis_names_the_first_broken_link") }
    func testADiagnosisTellsOfGpsdAndOfTokensThatDoNotCome() throws { try run("a_diagnosis_tells_of_gpsd_and_of_tokens_that_do_not_come") }
    func testStatisticsAndDiagnosisFitOlderHeaders() throws { try run("statistics_and_diagnosis_fit_older_headers") }
    func testStopsAndWhetherTheServerKnowsThemSurvive() throws { try run("stops_and_whether_the_server_knows_them_survive") }
    func testTheFirstWaypointThatDiffersIsAnEvent() throws { try run("the_first_waypoint_that_differs_is_an_event") }
    func testTheBackendIsNotAskedUnlessTheHostSaysSo() throws { try run("the_backend_is_not_asked_unless_the_host_says_so") }
    func testAnotherTaskAsksForAnotherToken() throws { try run("another_task_asks_for_another_token") }
}
